import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, writeJson } from '../pack-libraries.mjs';
import { bin, compile, install, pathWith } from './installation.mjs';

/** Tests with packages that take one version of the AI SDK, each in an application of its own. */
const PARTS = [
  {
    // programs in the sandbox of the AI SDK's code mode
    part: 'programs',
    packages: { '@ai-sdk/code-mode': '1.0.42', ai: '7.0.85' },
    sources: ['code-mode-package.ts', 'code-mode.spec.ts', 'program-suite.ts', 'with-programs.ts'],
    recipe: 'with-programs.ts',
    config: 'vitest.config.mjs',
    nodes: [22, 24, 26],
  },
  {
    // workflows of the AI SDK's WorkflowAgent
    part: 'workflows',
    packages: {
      '@ai-sdk/workflow': '2.0.43',
      '@workflow/vitest': '5.0.0-beta.42',
      ai: '7.0.112',
      workflow: '5.0.0-beta.42',
    },
    sources: ['agent.ts', 'clerk.ts', 'scripted-model.ts', 'workflow-agent.spec.ts'],
    recipe: 'agent.ts',
    config: 'workflows.config.mjs',
    nodes: [22],
  },
];

/** Every part on each Node.js that it is tried on. */
export const APART = PARTS.flatMap((each) =>
  each.nodes.map((node) => ({ ...each, node, name: `${each.part}-node${node}` })),
);

/** Installs an application outside the workspace with the packages of a part, and its tests in it. */
export function installApart(folder, node, tarballs, stack, { part, packages, sources, config }) {
  install(folder, node, tarballs, { ...stack, ...packages });
  const home = join(folder, part);
  mkdirSync(join(home, 'src'), { recursive: true });
  for (const file of sources) cpSync(join(root, 'test', part, file), join(home, 'src', file));
  cpSync(join(root, 'scripts/compat', config), join(home, 'vitest.config.mjs'));
  writeJson(join(home, 'package.json'), { type: 'module' });
}

/** Compiles the recipe of a part with the types of its packages, then runs the tests. Throws if either fails. */
export function runApart(folder, node, { part, recipe }) {
  const home = join(folder, part);
  compile(node, folder, home, [`src/${recipe}`]);
  const env = {
    ...pathWith(node),
    TOOL_SEARCH_TEST_NO_SKIPS: '1',
    TOOL_SEARCH_TEST_PROGRAMS: '1',
    TOOL_SEARCH_TEST_WORKFLOWS: '1',
  };
  run(node, [bin(folder, 'vitest', 'vitest'), 'run'], home, env);
}
