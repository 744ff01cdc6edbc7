const GROUPS = { major: 'Breaking', minor: 'Added and changed', patch: 'Fixed' };
const isOurs = (name) => name === 'tool-search' || name.startsWith('@tool-search/');

/**
 * Sets the version of a manifest and of its dependencies on siblings: exact for dependencies, up to the next breaking
 * version for peers.
 */
export function withVersion(manifest, version) {
  const next = { ...manifest, version };
  for (const field of ['dependencies', 'optionalDependencies', 'peerDependencies']) {
    if (!manifest[field]) continue;
    const wanted = field === 'peerDependencies' ? `^${version}` : version;
    next[field] = Object.fromEntries(
      Object.entries(manifest[field]).map(([name, given]) => [
        name,
        isOurs(name) && !given.startsWith('file:') ? wanted : given,
      ]),
    );
  }
  return next;
}

/** Returns the highest version. */
export const highestOf = (versions) => versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);

/** Adds the entries of these .changeset files at the top of a changelog. */
export function changelogWith(text, version, changes) {
  const parts = Object.entries(GROUPS).map(([bump, title]) => {
    const said = changes.filter((change) => bumpOf(change) === bump).map((change) => `- ${sentencesOf(change)}\n`);
    return said.length > 0 ? `### ${title}\n\n${said.join('')}\n` : '';
  });
  const [before, ...after] = text.split(/^(?=## )/m);
  return `${before}## ${version}\n\n${parts.join('')}${after.join('')}`;
}

const partsOf = (change) => /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(change.replace(/\r/g, ''));
const bumpOf = (change) => Object.keys(GROUPS).find((bump) => new RegExp(`: ${bump}$`, 'm').test(partsOf(change)[1]));
const sentencesOf = (change) => partsOf(change)[2].trim().replace(/\n/g, '\n  ');
