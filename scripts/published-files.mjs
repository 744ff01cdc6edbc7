// What differs between a library's folder and its package: addresses, which the root's package.json alone knows.
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The fields of the root's package.json that every published package repeats. */
const ADDRESSES = ['author', 'bugs', 'homepage', 'repository'];

/** The fields that the root's package.json lacks. Nothing may be published without them. */
export const missingAddresses = (root) => ADDRESSES.filter((field) => !addressOf(root[field]));

/** A library's package.json as it is published: with the root's addresses. */
export function publishedManifest(manifest, root, folder) {
  const { author, bugs, homepage, repository } = root;
  const url = addressOf(repository);
  return {
    ...manifest,
    ...(author && { author }),
    ...(homepage && { homepage }),
    ...(bugs && { bugs }),
    ...(url && { repository: { type: 'git', url, directory: folder } }),
  };
}

/**
 * A library's README as it is published: what it links to in the repository gets an absolute address, for a registry shows the
 * README alone. While the repository's address is unknown, the words stay and the link goes.
 */
export function publishedReadme(text, root, folder, home) {
  const files = webAddressOf(root.repository);
  return text.replace(CODE_OR_LINK, (found, words, target) => {
    if (target === undefined) return found;
    const [path, anchor] = posix.join(folder, target).split('#');
    if (!existsSync(join(home, path))) throw new Error(`${folder}/README.md links to ${path}, which does not exist.`);
    if (path === `${folder}/LICENSE`) return found;
    return files ? `[${words}](${files}/blob/HEAD/${path}${anchor ? `#${anchor}` : ''})` : words;
  });
}

// What is code holds no link, whatever it looks like; the words of a link may be code.
const CODE_OR_LINK = /```[\s\S]*?```|\[((?:`[^`\n]*`|[^\]`])+)\]\((?![a-z]+:|#)([^)\s]+)\)|`[^`\n]*`/g;

const addressOf = (field) => (typeof field === 'string' ? field : (field?.url ?? field?.name));

/** `git+https://host/owner/name.git` as a browser opens it. */
const webAddressOf = (repository) =>
  addressOf(repository)
    ?.replace(/^git\+/, '')
    .replace(/\.git$/, '');
