import { type Deprecation, deprecationOptions, isDeprecation } from '../../tool/deprecation.js';
import { isLegalName } from '../../tool/tool-name.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ControlPlane } from '../control/control-plane.js';
import { invalidRequest } from '../control/invalid-request.js';
import type { OperatorRequest } from '../control/operator-request.js';
import { StoredRecords } from '../control/stored-records.js';
import { deprecationKind } from './deprecation-kind.js';
import type { StoredDeprecation } from './deprecation-set.js';

/** Deprecations that operators set at run time. Each replaces the one in the tool's definition, for all tenants. */
export class ToolDeprecations {
  readonly #records;

  constructor(plane: ControlPlane, events: ToolEvents, now?: () => number) {
    this.#records = new StoredRecords(deprecationKind, plane, events, now);
  }

  /** By tool, at most `limit` after the tool `after`. @throws ToolSearchError `STORE_UNAVAILABLE` */
  list(page: { readonly after?: string; readonly limit: number }): Promise<readonly StoredDeprecation[]> {
    return this.#records.list(page);
  }

  /** A tool's stored deprecation, or undefined. @throws ToolSearchError `STORE_UNAVAILABLE` */
  find(tool: string): Promise<StoredDeprecation | undefined> {
    return this.#records.find(tool);
  }

  /**
   * Deprecates a tool. When this resolves, this process applies it. The tool need not exist yet.
   *
   * @param tool its canonical name
   * @throws ToolSearchError `INVALID_REQUEST`, `REVISION_CONFLICT`, `STORE_UNAVAILABLE`
   */
  async set(tool: string, given: Deprecation, request: OperatorRequest): Promise<StoredDeprecation> {
    const value = { tool, deprecation: checked(tool, given) };
    return this.#records.put({ action: 'deprecation.set', subject: tool, value }, request);
  }

  /**
   * Removes a stored deprecation; that of the tool's definition applies again. Returns the control revision of the
   * change.
   *
   * @throws ToolSearchError `INVALID_REQUEST`, `NOT_FOUND`, `REVISION_CONFLICT`, `STORE_UNAVAILABLE`
   */
  async remove(tool: string, request: OperatorRequest): Promise<number> {
    if (!isLegalName(tool)) throw invalid('the tool must be a canonical name.');
    const removal = { action: 'deprecation.removed', subject: tool, key: tool } as const;
    const { revision } = await this.#records.remove(removal, request);
    return revision;
  }
}

// Unknown members are refused: with a misspelt `sunset` the tool would never stop.
function checked(tool: string, given: Deprecation): Record<string, string> {
  if (!isLegalName(tool)) throw invalid('the tool must be a canonical name.');
  if (!isDeprecation(given)) {
    throw invalid('since and sunset must be dates or times of ISO 8601, and successor a canonical name.');
  }
  const known = deprecationOptions.keyof().options;
  const unknown = Object.keys(given).find((key) => !known.some((each) => each === key));
  if (unknown !== undefined) {
    throw invalid(`it has the unknown member ${JSON.stringify(unknown)}; known: ${known.join(', ')}.`);
  }
  if (given.successor === tool) throw invalid('a tool cannot be its own successor.');
  return Object.fromEntries(known.flatMap((key) => (given[key] === undefined ? [] : [[key, given[key]]])));
}

const invalid = (message: string) => invalidRequest('The deprecation', message);
