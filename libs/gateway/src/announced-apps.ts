import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server';
import { APPS_EXTENSION, isObject } from '@tool-search/core/internal';

/**
 * Whether the client of a message announces that it is a host of MCP Apps: in each message since 2026-07-28, before in the
 * first one; undefined for a message that says nothing of its client's capabilities.
 */
export function announcedApps(message: unknown): boolean | undefined {
  const params = memberOf(message, 'params');
  const capabilities = memberOf(memberOf(params, '_meta'), CLIENT_CAPABILITIES_META_KEY) ?? ofGreeting(message);
  if (!isObject(capabilities)) return undefined;
  return isObject(memberOf(capabilities['extensions'], APPS_EXTENSION));
}

function ofGreeting(message: unknown): unknown {
  return memberOf(message, 'method') === 'initialize'
    ? memberOf(memberOf(message, 'params'), 'capabilities')
    : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
