import type { Client } from '@modelcontextprotocol/client';

// What the catalog looks at at most; a server may send megabytes.
const MAX_CHARS = 2_000;

/**
 * What a server says of itself when a connection opens: its title and description, then its instructions. Its name is left
 * out, which mostly says "server". Untrusted; undefined when it says nothing.
 */
export function serverDescription(client: Pick<Client, 'getServerVersion' | 'getInstructions'>): string | undefined {
  const server = client.getServerVersion();
  const parts = [server?.title, server?.description, client.getInstructions()];
  return (
    parts
      .filter((part) => typeof part === 'string')
      .join('\n')
      .slice(0, MAX_CHARS) || undefined
  );
}
