/** As much of `ws`, which brings no types, as the specs use. */
declare module 'ws' {
  import type { EventEmitter } from 'node:events';
  export class WebSocket extends EventEmitter {
    constructor(url: string);
    send(text: string): void;
    terminate(): void;
  }
}
