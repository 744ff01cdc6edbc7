// Differences between a library's folder and its package: addresses, which only the root's package.json contains.
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Fields of the root's package.json that every published package repeats. */
const ADDRESSES = ['author', 'bugs', 'homepage', 'repository'];

/** Required fields that the root's package.json lacks. Without them nothing may be published. */
export const missingAddresses = (root) => ADDRESSES.filter((field) => !addressOf(root[field]));

/** A library's package.json as published: with the root's addresses. */
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
 * A library's README as published. Links into the repository become absolute, because a registry shows the README
 * alone. While the repository's address is unknown, only the link text remains.
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

// Code contains no links, even if it looks like one; but link text may contain code.
const CODE_OR_LINK = /```[\s\S]*?```|\[((?:`[^`\n]*`|[^\]`])+)\]\((?![a-z]+:|#)([^)\s]+)\)|`[^`\n]*`/g;

const addressOf = (field) => (typeof field === 'string' ? field : (field?.url ?? field?.name));

/** Converts `git+https://host/owner/name.git` to a browser address. */
const webAddressOf = (repository) =>
  addressOf(repository)
    ?.replace(/^git\+/, '')
    .replace(/\.git$/, '');
