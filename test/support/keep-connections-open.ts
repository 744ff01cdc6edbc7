import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';

// A busy machine may stall for longer than the keep-alive timeout of a Node.js server: the connection would be closed
// while the next request is on its way. So no server in a test closes idle connections.
const START = 'http.server.request.start';
const keepOpen = (message: unknown) => void ((message as { server: Server }).server.keepAliveTimeout = 0);

subscribe(START, keepOpen);
afterAll(() => void unsubscribe(START, keepOpen));
