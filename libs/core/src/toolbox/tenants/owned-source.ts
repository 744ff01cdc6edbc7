import { isObject } from '../../json/json.js';
import { parseOptions } from '../../options/parse-options.js';
import { sourceSettings } from '../../tool/source/source-options.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolSource } from '../../tool/tool-source.js';

/** Makes the source belong to this tenant; a source with this owner is returned as it is. */
export function ownedBy(source: ToolSource, owner: string): ToolSource {
  if (source.owner === owner) return source;
  return new Proxy(source, {
    get: (target, key) => {
      if (key === 'owner') return owner;
      const value: unknown = Reflect.get(target, key, target);
      // Methods must be bound: a class's private fields are not accessible through a proxy.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Splits the result of `load` into sources that the tenant can own and errors about the rest. */
export function ownSources(
  given: readonly unknown[],
  owner: string,
  namesInUse: readonly string[],
): { readonly sources: readonly ToolSource[]; readonly faults: readonly ToolSearchError[] } {
  const taken = new Set(namesInUse);
  const sources: ToolSource[] = [];
  const faults: ToolSearchError[] = [];
  for (const each of new Set(given)) {
    const fault = faultOf(each, owner, taken);
    if (fault !== undefined) {
      faults.push(new ToolSearchError('INVALID_CONFIGURATION', `tenantSources.load() gave ${fault}.`));
      continue;
    }
    const source = each as ToolSource;
    taken.add(source.name);
    sources.push(source);
  }
  return { sources, faults };
}

function faultOf(given: unknown, owner: string, taken: ReadonlySet<string>): string | undefined {
  const source = given as Partial<ToolSource>;
  if (!isObject(given) || typeof source.load !== 'function' || typeof source.call !== 'function') {
    return 'something that is no tool source';
  }
  if (typeof source.name !== 'string' || source.name === '') return 'a source without a name';
  if (source.owner !== undefined && source.owner !== '' && source.owner !== owner) {
    return `the source ${source.name}, which names another owner`;
  }
  if (taken.has(source.name)) return `the source ${source.name}, whose name the tenant has already`;
  return settingsFaultOf(given, source.name);
}

// The catalog checks the same when a source is added, but refuses all that are added with it.
function settingsFaultOf(source: object, name: string): string | undefined {
  try {
    parseOptions(sourceSettings, source, 'Source');
    return undefined;
  } catch (error) {
    const reason = isToolSearchError(error) ? error.message.replace(/\.$/, '') : 'its members cannot be read';
    return `the source ${name}, whose settings are wrong: ${reason}`;
  }
}
