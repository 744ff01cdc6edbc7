import { type ToolEvent, ToolEvents } from './tool-event.js';

const SWEPT = { type: 'activation.swept', removed: 3 } as const;

describe('ToolEvents', () => {
  it('calls the listeners of the type, then those of all types, synchronously and with the time', () => {
    const events = new ToolEvents(() => 1234);
    const seen: [string, ToolEvent][] = [];
    events.on('*', (event) => void seen.push(['all', event]));
    events.on('activation.swept', (event) => void seen.push(['first', event]));
    events.on('activation.swept', (event) => void seen.push(['second', event]));
    events.on('tool.called', (event) => void seen.push(['other', event]));
    events.emit(SWEPT);
    expect(seen).toEqual([
      ['first', { at: 1234, ...SWEPT }],
      ['second', { at: 1234, ...SWEPT }],
      ['all', { at: 1234, ...SWEPT }],
    ]);
  });

  it('stops telling who stopped listening', () => {
    const events = new ToolEvents();
    let heard = 0;
    const stop = events.on('*', () => void (heard += 1));
    events.emit(SWEPT);
    stop();
    events.emit(SWEPT);
    expect(heard).toBe(1);
  });

  it('does not let a listener that throws or rejects disturb the work or its neighbours', async () => {
    const faults: unknown[] = [];
    const events = new ToolEvents(Date.now, (error) => void faults.push(error));
    let heard = 0;
    events.on('*', () => {
      throw new Error('at once');
    });
    events.on('*', async () => {
      throw new Error('later');
    });
    events.on('*', () => void (heard += 1));
    expect(() => events.emit(SWEPT)).not.toThrow();
    await Promise.resolve();
    expect(heard).toBe(1);
    expect(faults).toEqual([new Error('at once'), new Error('later')]);
  });
});
