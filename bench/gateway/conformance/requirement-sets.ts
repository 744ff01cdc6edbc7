/** Revisions of the protocol whose requirement sets are run. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;

/** One of {@link REVISIONS}. */
export type Revision = (typeof REVISIONS)[number];

/** The fixture in the gateway's own process, and as an MCP server behind the gateway. */
export type RequirementSet = Revision | `upstream-${Revision}`;
