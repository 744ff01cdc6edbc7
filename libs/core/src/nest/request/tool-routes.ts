import type { ForwardReference, INestApplicationContext, Type } from '@nestjs/common';
import { PATH_METADATA, PROPERTY_DEPS_METADATA, SELF_DECLARED_DEPS_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { StoredPolicies } from '../../access/policies/stored-policies.js';
import { ToolProfiles } from '../../toolbox/profiles/tool-profiles.js';
import { ToolDeprecations } from '../../access/deprecations/tool-deprecations.js';
import { ToolLimits } from '../../access/limits/tool-limits.js';
import { ToolApprovals } from '../../access/approvals/tool-approvals.js';
import { ToolQuarantine } from '../../access/quarantine/tool-quarantine.js';
import { KillSwitches } from '../../access/kill-switches/kill-switches.js';
import { Toolbox } from '../../toolbox/toolbox.js';
import { takesToolbox } from '../decorators/request-toolbox.decorator.js';
import { ToolSearchService } from '../module/tool-search.service.js';

/** Injectables through which a caller can use tools or make decisions about them. */
const SERVES_TOOLS = new Set<unknown>([
  Toolbox,
  ToolSearchService,
  KillSwitches,
  StoredPolicies,
  ToolLimits,
  ToolProfiles,
  ToolDeprecations,
  ToolApprovals,
  ToolQuarantine,
]);

/**
 * Path globs of the application's own routes that serve tools, in the notation of a Swagger document: all routes of a
 * controller that injects a toolbox or an access service, directly or through its dependencies, and single routes with
 * a toolbox parameter.
 */
export function toolRoutesOf(app: INestApplicationContext): readonly string[] {
  const modules = [...app.get(ModulesContainer, { strict: false }).values()];
  const controllers = modules.flatMap((module) =>
    [...module.controllers.values()].map(({ metatype }) => metatype as Type),
  );
  return [...new Set(controllers.flatMap(routesOf))];
}

function routesOf(controller: Type): string[] {
  const bases = pathsOf(controller);
  if (injectsTools(controller, new Set()))
    return bases.flatMap((base) => (base === '' ? ownRoutes(controller) : withBelow(base)));
  return ownRoutes(
    controller,
    (method) =>
      takesToolbox(controller, method) ||
      typesAt(controller.prototype as object, method).some((type) => SERVES_TOOLS.has(type)),
  );
}

function ownRoutes(controller: Type, matches: (method: string) => boolean = () => true): string[] {
  const bases = pathsOf(controller);
  const prototype = controller.prototype as Record<string, object>;
  return new MetadataScanner()
    .getAllMethodNames(prototype)
    .filter((method) => Reflect.hasMetadata(PATH_METADATA, prototype[method] ?? {}) && matches(method))
    .flatMap((method) => pathsOf(prototype[method] ?? {}))
    .flatMap((path) => bases.map((base) => [base, path].filter((part) => part !== '').join('/')))
    .map((path) => `*/${path}`);
}

function injectsTools(token: unknown, seen: Set<unknown>): boolean {
  const type =
    typeof token === 'object' && token !== null && 'forwardRef' in token
      ? (token as ForwardReference<() => unknown>).forwardRef()
      : token;
  if (typeof type !== 'function' || seen.has(type)) return false;
  seen.add(type);
  // Explicit tokens: without emitted types, every dependency is injected by token.
  const named = [
    ...metadataOf<{ readonly param: unknown }>(SELF_DECLARED_DEPS_METADATA, type).map(({ param }) => param),
    ...metadataOf<{ readonly type: unknown }>(PROPERTY_DEPS_METADATA, type).map((property) => property.type),
  ];
  return SERVES_TOOLS.has(type) || [...typesAt(type), ...named].some((each) => injectsTools(each, seen));
}

function metadataOf<T>(key: string, type: object): readonly T[] {
  return (Reflect.getMetadata(key, type) ?? []) as readonly T[];
}

function typesAt(target: object, method?: string): readonly unknown[] {
  const key = 'design:paramtypes';
  const types: unknown =
    method === undefined ? Reflect.getMetadata(key, target) : Reflect.getMetadata(key, target, method);
  return Array.isArray(types) ? types : [];
}

// Swagger's notation: no leading or trailing slash, `{id}` for `:id`.
function pathsOf(target: object): string[] {
  const paths = (Reflect.getMetadata(PATH_METADATA, target) ?? '') as string | readonly string[];
  return [paths].flat().map((path) => path.replace(/^\/+|\/+$/g, '').replaceAll(/:(\w+)/g, '{$1}'));
}

function withBelow(path: string): string[] {
  return [`*/${path}`, `*/${path}/*`];
}
