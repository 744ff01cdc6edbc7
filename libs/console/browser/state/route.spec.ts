type Listener = () => void;

/** A signal that nobody watches. */
class Held {
  constructor(public value: unknown) {}

  peek(): unknown {
    return this.value;
  }
}

/** The module in a page with this address; `follow` does what a browser does with a link. */
async function pageAt(hash: string) {
  jest.resetModules();
  jest.doMock('@preact/signals', () => ({ signal: (value: unknown) => new Held(value) }));
  const listeners = new Map<string, Listener>();
  const written: string[] = [];
  const location = { hash };
  Object.assign(globalThis, {
    location,
    history: { replaceState: (_state: unknown, _title: string, address: string) => void written.push(address) },
    addEventListener: (type: string, listener: Listener) => void listeners.set(type, listener),
  });
  const module = await import('./route.js');
  const follow = (to: string) => {
    listeners.get('click')?.();
    location.hash = to;
    listeners.get('hashchange')?.();
  };
  const tell = () => listeners.get('hashchange')?.();
  return { ...module, follow, location, tell, written };
}

describe('the address of a screen', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('has what was typed, once, a moment later', async () => {
    const { route, setParameters, written } = await pageAt('#/tools');
    setParameters({ contains: 'ref' });
    setParameters({ contains: 'refund' });
    expect(route.value.query.get('contains')).toBe('refund');
    expect(written).toEqual([]);
    jest.runAllTimers();
    expect(written).toEqual(['#/tools?contains=refund']);
  });

  it('has it before a link is followed, for “Back”, and not on the screen that follows', async () => {
    const { setParameters, follow, route, written } = await pageAt('#/tools');
    setParameters({ contains: 'refund' });
    follow('#/calls');
    expect(written).toEqual(['#/tools?contains=refund']);
    jest.runAllTimers();
    expect(written).toHaveLength(1);
    expect(route.value.screen).toBe('calls');
  });

  it('stays that of the screen that the browser has gone to, before it tells so', async () => {
    const { setParameters, location, tell, route, written } = await pageAt('#/explain');
    setParameters({ tool: 'refund' });
    location.hash = '#/calls';
    jest.runAllTimers();
    expect(written).toEqual([]);
    tell();
    expect(route.value.screen).toBe('calls');
  });

  it('loses all parameters at once', async () => {
    const { clearParameters, route, written } = await pageAt('#/calls?tenantId=acme&open=x');
    clearParameters();
    expect([route.value.screen, route.value.query.toString()]).toEqual(['calls', '']);
    jest.runAllTimers();
    expect(written).toEqual(['#/calls']);
  });
});
