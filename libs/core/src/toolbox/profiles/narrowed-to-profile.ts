import type { ActiveProfile } from './profile.js';
import type { Toolbox } from '../toolbox.js';

/**
 * The toolbox of a caller with the tools of a profile only. What the caller activates there belongs to the profile.
 *
 * @param toolbox of the caller
 */
export function narrowedToProfile(toolbox: Toolbox, { name, policies }: ActiveProfile): Toolbox {
  return policies.reduce((narrowed, policy) => narrowed.narrow({ ...policy, runId: `mcp/p/${name}` }), toolbox);
}
