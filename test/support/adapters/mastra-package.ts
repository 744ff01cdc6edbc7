/**
 * Why Mastra's tests cannot run here; undefined where they can. Mastra asks for Node 22.13, but its package is loaded
 * by Node 20 too, as long as it uses nothing newer. From 22.13 on, a package that cannot be loaded is a failure.
 */
export const MASTRA_MISSING: string | undefined = missing();

function missing(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) return undefined;
  try {
    require('@mastra/core/agent');
    return undefined;
  } catch {
    return `@mastra/core cannot be loaded by Node ${process.versions.node}; it needs 22.13`;
  }
}
