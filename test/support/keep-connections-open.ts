import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';

// A busy machine may stand still for longer than a server of Node.js waits for the next request: the connection would be
// closed while that request is on its way. No server in a test closes a connection because it is idle.
const START = 'http.server.request.start';
const keepOpen = (message: unknown) => void ((message as { server: Server }).server.keepAliveTimeout = 0);

subscribe(START, keepOpen);
afterAll(() => void unsubscribe(START, keepOpen));
