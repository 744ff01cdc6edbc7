import type { Client } from '@modelcontextprotocol/client';

// The catalog reads no more; a server may send megabytes.
const MAX_CHARS = 2_000;

/**
 * A server's self-description: title, description and instructions. Leaves out the name, which is often just "server".
 * The text is untrusted; undefined if the server sent none.
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
