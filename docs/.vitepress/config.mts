import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = dirname(dirname(fileURLToPath(import.meta.url)));

/** A sidebar entry; its text is the title of the page. */
const page = (link: string) => ({
  text: /^# (.+)$/m.exec(readFileSync(join(docs, `${link}.md`), 'utf8'))?.[1]?.replaceAll('`', '') ?? link,
  link: `/${link}`,
});
const group = (text: string, links: readonly string[], collapsed = false) => ({
  text,
  collapsed,
  items: links.map(page),
});
const decisions = readdirSync(join(docs, 'decisions'))
  .filter((name) => name.endsWith('.md'))
  .toSorted()
  .map((name) => `decisions/${name.slice(0, -'.md'.length)}`);

/** Anchors as GitHub makes them, so that a link works in the repository and on the site. */
const githubAnchor = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

// A plain object: VitePress is run by npx and is no dependency, so nothing can be imported from it.
export default {
  title: 'ToolSearch for NestJS',
  description: 'One tool catalog for the LLM agents of a NestJS backend: search, policies, deferred loading.',
  cleanUrls: true,
  ignoreDeadLinks: false,
  markdown: { anchor: { slugify: githubAnchor } },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Guides', link: '/guides/getting-started' },
      { text: 'Options', link: '/options' },
      { text: 'Errors', link: '/errors' },
    ],
    sidebar: [
      group('Start', [
        'guides/getting-started',
        'guides/from-guard-to-console',
        'guides/install',
        'guides/configuration',
        'guides/troubleshooting',
      ]),
      group('Build', [
        'guides/tools',
        'guides/arguments',
        'guides/visibility-and-policy',
        'guides/argument-rules',
        'guides/search',
        'guides/example-queries',
        'guides/dense-vectors',
        'guides/sources',
        'guides/source-checks',
        'guides/user-credentials',
        'guides/redaction',
        'guides/interceptors',
        'guides/decision-points',
        'guides/agents',
        'guides/exposure',
        'guides/results',
        'guides/transports',
        'guides/testing',
      ]),
      group('Run', [
        'guides/governance',
        'guides/limits',
        'guides/record',
        'gateway',
        'console',
        'guides/without-an-application',
        'guides/operations',
        'guides/repositories',
        'guides/several-instances',
        'guides/reference-server',
      ]),
      group('Migrate', [
        'upgrading',
        'guides/migrating-from-a-tool-list',
        'guides/migrating-from-penguiflow',
        'guides/migrating-from-praisonai',
        'guides/migrating-from-mastra',
      ]),
      group('Reference', [
        'options',
        'services',
        'own-sources',
        'adapters',
        'tuning',
        'errors',
        'events',
        'rest',
        'metrics',
        'presets',
        'parity',
        'benchmarks',
        'versioning',
      ]),
      group('Decisions', decisions, true),
    ],
  },
};
