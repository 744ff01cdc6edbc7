import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ToolSearchError } from '@tool-search/core';
import { withLinkedSignal } from '@tool-search/core/internal';
import { type DocumentFault, documentPortions, type Portion, type PortionBounds } from './document-portions.js';

const PORTION_CHARS = 65_536;
const PARSE_TIMEOUT_MS = 60_000;
const MAX_HEAP_MB = 1024;
const MAX_WORKERS = 4;

// Sources load concurrently and each worker has its own heap, so the number of workers is limited.
let running = 0;
const waiting: (() => void)[] = [];

async function withWorkerSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running === MAX_WORKERS) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    // Hands the slot over, so that a new caller cannot take it first.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

export type WorkerBounds = Omit<PortionBounds, 'portionChars'>;

interface Answer {
  readonly portion?: string;
  readonly fault?: DocumentFault;
}

/**
 * Parses UTF-8 text in a worker thread and receives the document in portions, so that neither parsing nor the transfer
 * blocks the event loop.
 *
 * @throws ToolSearchError `SOURCE_LIMIT`, `UPSTREAM_INVALID`; the signal's reason when aborted
 */
export function readInWorker(
  chunks: readonly Uint8Array[],
  bounds: WorkerBounds,
  signal: AbortSignal,
): Promise<unknown> {
  const read = async (ended: AbortSignal) => {
    const worker = new Worker(CODE, {
      eval: true,
      // The application's Node flags, such as preloads and profilers, must not apply to the worker.
      execArgv: [],
      workerData: { chunks, yaml: require.resolve('yaml'), bounds: { ...bounds, portionChars: PORTION_CHARS } },
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    try {
      return await assembled(async () => {
        const answered = once(worker, 'message', { signal: ended });
        worker.postMessage('next');
        const [{ portion, fault }] = (await answered) as [Answer];
        if (fault !== undefined) throw faultOf(fault, bounds);
        return portion;
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ToolSearchError) throw error;
      if (ended.aborted) throw tooCostly(`takes more than ${PARSE_TIMEOUT_MS} ms to parse`, error);
      throw tooCostly(`cannot be parsed within ${MAX_HEAP_MB} MB of memory`, error);
    } finally {
      await worker.terminate();
    }
  };
  return withWorkerSlot(async () => {
    signal.throwIfAborted();
    return withLinkedSignal([signal], read, PARSE_TIMEOUT_MS);
  });
}

// One portion per request, because a port delivers all waiting messages at once.
const CODE = `
const { parentPort, workerData } = require('node:worker_threads');
const text = new TextDecoder().decode(Buffer.concat(workerData.chunks));
workerData.chunks = [];
const portions = (${documentPortions.toString()})(text, () => require(workerData.yaml), workerData.bounds);
parentPort.on('message', () => {
  try {
    parentPort.postMessage({ portion: portions.next().value });
  } catch (error) {
    parentPort.postMessage({ fault: error.message });
  }
});`;

/** Assembles a document from its portions, requested one after the other until `next` returns undefined. */
export async function assembled(next: () => Promise<string | undefined>): Promise<unknown> {
  const root: Record<string, unknown> = {};
  const containers: object[] = [root];
  for (let json = await next(); json !== undefined; json = await next()) {
    const [number, ...members] = JSON.parse(json) as Portion;
    for (const [key, value, newContainer, isList] of members) {
      const member = newContainer === undefined ? value : (containers[newContainer] = isList ? [] : {});
      // Defined instead of assigned, because a key may be `__proto__`.
      Object.defineProperty(containers[number], key, { value: member, ...PLAIN });
    }
  }
  return root['document'];
}

const PLAIN = { writable: true, enumerable: true, configurable: true };

function faultOf(fault: DocumentFault, { maxYamlBytes, maxChars }: WorkerBounds): ToolSearchError {
  if (fault === 'long-yaml') {
    return new ToolSearchError('SOURCE_LIMIT', `The document is YAML of more than ${maxYamlBytes} bytes.`, {
      hint: 'Name the same document as JSON, which is read a hundred times faster.',
    });
  }
  if (fault === 'expands') {
    return new ToolSearchError('SOURCE_LIMIT', `The document is longer than ${maxChars} characters as JSON.`, {
      hint: 'Raise maxDocumentBytes for this source, or cut the document down.',
    });
  }
  const message = {
    'broken-json': 'The document is not valid JSON.',
    deep: 'The document is nested too deep.',
    broken: 'The document is neither JSON nor YAML within bounds.',
  }[fault];
  return new ToolSearchError('UPSTREAM_INVALID', message, {
    hint: 'Name a document of OpenAPI 3.0 to 3.2 or Swagger 2.0.',
  });
}

function tooCostly(what: string, cause: unknown): ToolSearchError {
  return new ToolSearchError('SOURCE_LIMIT', `The document ${what}.`, {
    hint: 'Name the same document as JSON, or cut it down.',
    cause,
  });
}
