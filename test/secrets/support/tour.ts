import { setTimeout } from 'node:timers/promises';
import { codeOf, ERAS, modern, send, WireCaller, type WireRequest } from '../../gateway/support/wire.js';
import type { AccountsApp } from '../../user-credentials/support/accounts-app.js';
import type { CallersMethod } from './answers.js';
import type { Transcript } from './transcript.js';
import { labelOfWish, type Wish, WISHES } from './wishes.js';

const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const PATH = '/mcp/all';
const LOGS = { 'io.modelcontextprotocol/logLevel': 'debug' };
const PACE_MS = 60;
/** Definitions that are read with one request. */
const AT_ONCE = 5;
/** What a client's model answers. */
const WORDS = { role: 'assistant', model: 'm', content: { type: 'text', text: 'words' } };
/** Answers of which operators see the record, the state and the definitions. */
const ADMIN_PATHS = [
  'status',
  'sources',
  'catalog',
  'quarantine',
  'reported',
  'approvals',
  'activations',
  'calls',
  'calls/summary',
  'calls/costs',
  'calls/export?format=jsonl',
  'calls/export?format=csv',
  'audit',
  'tokens',
  'search-gaps',
  'search-gaps/queries?tenantId=acme',
  'example-queries',
  'user-credentials',
  'kill-switches',
  'limits',
  'profiles',
];

/** What a caller asks for to have a wish fulfilled. */
const ASKED: Readonly<Record<CallersMethod, (wish: string, source: string) => object>> = {
  'tools/call': (wish, source) => ({ name: `${source}__wish`, arguments: { wish } }),
  'resources/read': (wish) => ({ uri: `wish:///${wish}` }),
  'prompts/get': (wish, source) => ({ name: `${source}__wish`, arguments: { wish } }),
  'completion/complete': (wish, source) => ({
    ref: { type: 'ref/prompt', name: `${source}__wish` },
    argument: { name: 'wish', value: wish },
  }),
};

/** One user, one client of each era, and an operator, who look at everything that a source says. */
export class Tour {
  constructor(
    private readonly app: AccountsApp,
    private readonly seen: Transcript,
    private readonly source = 'mail',
    private readonly token = 'acme.ann',
  ) {}

  /** All lists, all searches, and each definition by its name. */
  async definitions(): Promise<void> {
    for (const era of ERAS) {
      const caller = await WireCaller.of(this.app.url, era, { path: PATH, token: this.token });
      const names = await this.#pages(caller, 'tools/list', 'tools');
      for (const [method, key] of [
        ['resources/list', 'resources'],
        ['resources/templates/list', 'resourceTemplates'],
        ['prompts/list', 'prompts'],
      ] as const) {
        await this.#pages(caller, method, key);
      }
      const deferred = await WireCaller.of(this.app.url, era, { path: '/mcp', token: this.token });
      for (const query of ['says what it was sent', 'city', 'removed']) {
        await this.#note(`${era} tool_search ${query}`, deferred.request('tools/call', call('tool_search', { query })));
      }
      for (let from = 0; from < names.length; from += AT_ONCE) {
        const some = names.slice(from, from + AT_ONCE).map((name) => name.replace('__', '.'));
        const asked = call('tool_get', { names: some });
        await this.#note(`${era} tool_get from ${from}`, deferred.request('tools/call', asked));
      }
      await this.#note(`${era} greeting`, caller.request(era === 'modern' ? 'server/discover' : 'ping'));
    }
  }

  /** Each wish for an answer to a request, by clients of both eras in turns. Returns the codes with which they ended. */
  async answers(
    method: CallersMethod,
    isWanted: (wish: Wish, index: number) => boolean = () => true,
  ): Promise<ReadonlyMap<string, number>> {
    const codes = new Map<string, number>();
    const callers = await Promise.all(
      ERAS.map((era) => WireCaller.of(this.app.url, era, { path: PATH, token: this.token })),
    );
    await send(this.app.url, callers[1]!.request('logging/setLevel', { level: 'debug' }));
    for (const [index, wish] of WISHES[method].entries()) {
      if (!isWanted(wish, index)) continue;
      const label = labelOfWish(method, wish);
      const params = { ...ASKED[method](String(index), this.source), _meta: { progressToken: index, ...LOGS } };
      const caller = callers[index % callers.length]!;
      // Of the two, the client of 2026-07-28 can be asked.
      const request =
        caller.era === 'modern' || this.#asks(wish.kind)
          ? { ...modern(method, params, CAPABILITIES), path: PATH, token: this.token }
          : caller.request(method, params);
      const { message } = await this.#note(label, request);
      // A source hears at most 20 questions of a server in a second.
      if (this.#asks(wish.kind)) await setTimeout(PACE_MS);
      if (message?.result?.resultType === 'input_required') {
        const inputResponses = Object.fromEntries(
          Object.entries<{ method: string }>(message.result.inputRequests).map(([key, question]) => [
            key,
            question.method === 'sampling/createMessage' ? WORDS : { action: 'cancel' },
          ]),
        );
        const answered = { ...params, requestState: message.result.requestState, inputResponses };
        await this.#note(`${label}, answered`, {
          ...modern(method, answered, CAPABILITIES),
          path: PATH,
          token: this.token,
        });
      }
      const code = message?.result?.resultType === 'input_required' ? 'asked' : message ? codeOf(message) : 'none';
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    return codes;
  }

  /** Everything that operators can read over HTTP, in lists and in previews. */
  async operators(): Promise<void> {
    for (const path of ADMIN_PATHS) await this.#read(path);
    await this.#read('previews/search', {
      context: { tenantId: 'acme', userId: 'ann' },
      query: 'says what it was sent',
    });
    await this.#read('previews/surface', { context: { tenantId: 'acme', userId: 'ann' } });
  }

  /** Each tool and each definition that waits, as an operator opens it. Returns why the tools that are held are held. */
  async openedByOperators(): Promise<ReadonlyMap<string, string | undefined>> {
    const tools = (await this.#read('catalog'))
      .filter(({ kind }) => kind === undefined)
      .map(({ name }) => String(name));
    for (const name of tools) await this.#read(`catalog/${name}`);
    const held = new Map<string, string>();
    for (const { id, name, suspicion } of await this.#read('quarantine')) {
      await this.#read(`quarantine/${String(id)}`);
      held.set(String(name), String(suspicion));
    }
    return new Map(tools.map((name) => [name, held.get(name)]));
  }

  /** Everything that the application has logged and reported as events. */
  written(): void {
    for (const [index, line] of this.app.written().split('\n').entries()) this.seen.add(`log, line ${index}`, line);
  }

  #asks(kind: string): boolean {
    return kind.startsWith('a ') && !kind.startsWith('a log') && !kind.startsWith('a failure');
  }

  async #pages(caller: WireCaller, method: string, key: string): Promise<readonly string[]> {
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const { message } = await this.#note(`${caller.era} ${method}`, caller.request(method, cursor ? { cursor } : {}));
      // A list that no source offers is none.
      for (const entry of message.result?.[key] ?? []) {
        this.seen.add(`${caller.era} ${method} ${String(entry.name)}`, JSON.stringify(entry));
        names.push(entry.name);
      }
      cursor = message.result?.nextCursor;
    } while (cursor !== undefined);
    return names;
  }

  async #note(label: string, request: WireRequest) {
    const answer = await send(this.app.url, request);
    this.seen.add(label, `${answer.status} ${JSON.stringify(answer.headers)}\n${answer.text}`);
    return answer;
  }

  async #read(path: string, body?: object): Promise<readonly Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = [];
    let cursor: string | undefined;
    do {
      const query = cursor === undefined ? '' : `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
      const response = await fetch(`${this.app.url}/admin/${path}${query}`, {
        headers: { cookie: 'session=ops.olga', 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
      this.seen.add(`admin ${path}`, `${JSON.stringify([...response.headers])}\n${text}`);
      const answer = text.startsWith('{"items"')
        ? (JSON.parse(text) as { items: typeof items; next?: string })
        : undefined;
      items.push(...(answer?.items ?? []));
      cursor = answer?.next;
    } while (cursor !== undefined);
    return items;
  }
}

function call(name: string, input: object): object {
  return { name, arguments: input };
}
