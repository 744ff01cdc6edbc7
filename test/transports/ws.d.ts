/** The used part of `ws`, which has no types of its own. */
declare module 'ws' {
  import type { EventEmitter } from 'node:events';
  export class WebSocket extends EventEmitter {
    constructor(url: string);
    send(text: string): void;
    terminate(): void;
  }
}
