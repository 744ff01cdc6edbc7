import type { Annotations, Prompt, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { ToolDefinition } from '@tool-search/core';
import { isObject } from '@tool-search/core/internal';
import type { AppPage } from '@tool-search/core/source';
import { ownName } from './item-names.js';

/** A resource in the form of MCP. */
export function listedResource(item: ToolDefinition): Resource {
  return { uri: item.uri ?? '', ...described(item), ...(item.appPage && pageMeta(item.appPage)) };
}

/** The member of a page that says what its host has to allow; none where that is nothing. */
function pageMeta(appPage: AppPage): { readonly _meta?: { readonly ui: AppPage } } {
  return Object.keys(appPage).length > 0 ? { _meta: { ui: appPage } } : {};
}

/** A resource template in the form of MCP. */
export function listedTemplate(item: ToolDefinition): ResourceTemplateType {
  return { uriTemplate: item.uri ?? '', ...described(item) };
}

/** A prompt in the form of MCP; its arguments are the properties of its input schema. */
export function listedPrompt({ title, description, inputSchema }: ToolDefinition, name: string): Prompt {
  const properties = isObject(inputSchema['properties']) ? inputSchema['properties'] : {};
  const required: readonly unknown[] = Array.isArray(inputSchema['required']) ? inputSchema['required'] : [];
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    arguments: Object.entries(properties).map(([argument, schema]) => ({
      name: argument,
      ...textsOf(schema),
      ...(required.includes(argument) && { required: true }),
    })),
  };
}

function described(item: ToolDefinition) {
  const { title, description, mimeType, annotations } = item;
  const hints = annotationsOf(annotations);
  return {
    name: ownName(item),
    ...(title !== undefined && { title }),
    description,
    ...(mimeType !== undefined && { mimeType }),
    ...(hints && { annotations: hints }),
  };
}

function textsOf(schema: unknown): { title?: string; description?: string } {
  const { title, description } = isObject(schema) ? schema : {};
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
  };
}

// Only what the protocol knows, because clients refuse a whole list with other values.
function annotationsOf(given: unknown): Annotations | undefined {
  if (!isObject(given)) return undefined;
  const { audience, priority } = given;
  const roles = Array.isArray(audience) ? audience.filter((role) => role === 'user' || role === 'assistant') : [];
  const isShare = typeof priority === 'number' && priority >= 0 && priority <= 1;
  if (roles.length === 0 && !isShare) return undefined;
  return { ...(roles.length > 0 && { audience: roles }), ...(isShare && { priority }) } as Annotations;
}
