import { withDeadline } from '../../async/deadline.js';
import { TimeSlicer } from '../../async/time-slicer.js';
import type { ToolDefinition, ToolFinding } from '../../tool/tool-definition.js';
import type { InspectionMode, ToolSource } from '../../tool/tool-source.js';
import { isObject } from '../../json/json.js';
import type { Ingested, IngestedTool } from '../ingest/ingest.js';
import { printed } from '../ingest/printed.js';
import { shownTexts } from '../ingest/shown-texts.js';
import { isTrustedSource } from '../ingest/trusted-source.js';
import { phraseInspector } from './phrase-inspector.js';
import type { ToolInspector } from './tool-inspector.js';

/** The options `inspector` and `inspection` of the module. */
export interface InspectionOptions {
  /** @default the phrase inspector */
  readonly inspector?: ToolInspector | undefined;
  /** For sources that do not set it. @default 'report' */
  readonly inspection?: InspectionMode | undefined;
}

const MAX_CHARS = 262_144;
const MAX_REASON = 200;
const CODE = /^[a-z0-9-]{1,40}$/;
const TOOL_MS = 2000;
const LOAD_MS = 15_000;
const AT_ONCE = 8;
/** After so many failures in a row, the other tools of the load are not inspected. */
const MAX_FAILURES = 3;
/** Milliseconds of work between two turns of the event loop. */
const SLICE_MS = 8;

/** Inspects the tools of one source, and never rejects because of an inspector. */
export class Inspection {
  readonly #inspector: ToolInspector;
  readonly #mode: InspectionMode;
  // Results of the last load by definition hash, so that an unchanged tool costs nothing.
  #known: ReadonlyMap<string, ToolFinding | undefined> = new Map();

  constructor(source: ToolSource, { inspector = phraseInspector, inspection = 'report' }: InspectionOptions) {
    this.#inspector = inspector;
    this.#mode = isTrustedSource(source) ? 'off' : (source.inspection ?? inspection);
  }

  /** Adds the findings to the tools. @throws the reason of `closed` when it aborts */
  async of(ingested: Ingested, closed?: AbortSignal): Promise<Ingested> {
    if (this.#mode === 'off') return ingested;
    const found = await this.#findings(ingested.tools, closed);
    return { ...ingested, tools: ingested.tools.map((tool) => this.#marked(tool, found.get(tool.definition.hash))) };
  }

  async #findings(
    tools: readonly IngestedTool[],
    closed?: AbortSignal,
  ): Promise<ReadonlyMap<string, ToolFinding | undefined>> {
    const found = new Map<string, ToolFinding | undefined>();
    const inspected = new Map<string, ToolFinding | undefined>();
    const slicer = new TimeSlicer(SLICE_MS, closed);
    const until = performance.now() + LOAD_MS;
    let failures = 0;
    const queue = tools.values();
    const work = async () => {
      // Making a signal is costly. An inspector that answers at once leaves its signal for the next tool.
      let time = new AbortController();
      for (const { definition } of queue) {
        const { hash } = definition;
        if (this.#known.has(hash)) {
          inspected.set(hash, this.#known.get(hash));
          continue;
        }
        try {
          closed?.throwIfAborted();
          if (failures >= MAX_FAILURES) throw new Error('earlier inspections of this load failed');
          let answer = this.#ask(definition, time.signal);
          // An answer given at once needs no time limit: it could not be interrupted.
          if (answer instanceof Promise) {
            const pending = inTime(answer, time, Math.min(TOOL_MS, Math.ceil(until - performance.now())), closed);
            time = new AbortController();
            answer = await pending;
          }
          inspected.set(hash, checked(answer));
          failures = 0;
        } catch (error) {
          closed?.throwIfAborted();
          failures += 1;
          const isLate = performance.now() >= until;
          found.set(hash, failed(isLate ? `not done within ${LOAD_MS} ms of this load` : messageOf(error)));
        }
        if (slicer.due) await slicer.pause();
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, tools.length) }, work));
    this.#known = inspected;
    return new Map([...inspected, ...found]);
  }

  #ask(definition: ToolDefinition, signal: AbortSignal): ReturnType<ToolInspector['inspect']> {
    // Example queries are searched, never shown.
    const texts = shownTexts(definition).filter(({ field }) => field !== 'exampleQueries');
    const chars = texts.reduce((sum, { text }) => sum + text.length, 0);
    if (chars > MAX_CHARS) return failed(`more than ${MAX_CHARS} characters of text`);
    return this.#inspector.inspect({ definition, texts }, signal);
  }

  #marked(tool: IngestedTool, finding: ToolFinding | undefined): IngestedTool {
    if (!finding) return tool;
    const { suspicion, ...definition } = tool.definition;
    const held = [suspicion, `${finding.reason} (${finding.code})`].filter((each) => each !== undefined).join('; ');
    if (this.#mode === 'hold') return { ...tool, definition: Object.freeze({ ...definition, suspicion: held }) };
    return { ...tool, definition: Object.freeze({ ...tool.definition, finding }) };
  }
}

/** Waits for an answer, and aborts its signal when the time is up or the source is closed. */
async function inTime<T>(answer: Promise<T>, time: AbortController, ms: number, closed?: AbortSignal): Promise<T> {
  try {
    return await withDeadline(ms, () => answer, closed);
  } catch (error) {
    time.abort(error);
    throw error;
  }
}

/** An inspector is code of the application, but its texts may come from a model. */
function checked(given: unknown): ToolFinding | undefined {
  if (given === undefined || given === null) return undefined;
  if (!isObject(given)) throw new Error('the inspector did not return { code, reason }');
  const { code, reason } = given;
  if (typeof code !== 'string' || !CODE.test(code) || typeof reason !== 'string') {
    throw new Error('the inspector did not return { code, reason }');
  }
  return { code, reason: printed(reason, MAX_REASON) };
}

function failed(why: string): ToolFinding {
  return { code: 'inspection-failed', reason: printed(`the inspection failed: ${why}`, MAX_REASON) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'the inspector threw';
}
