import type { RequestHandler } from 'express';

/** Milliseconds of requests in one turn of the event loop. */
const TURN_MS = 20;

/**
 * Begins requests in the order in which they came, and leaves the rest to the next turn of the event loop once those of this one
 * have taken 20 ms. Else Node.js answers all that has arrived in one turn: with 200 connections timers, and so deadlines, are late
 * by 200 requests, and new connections wait as well, for it accepts one a turn.
 *
 * @param now milliseconds of a clock that never goes back
 */
export function pacedRequests(now: () => number = () => performance.now()): RequestHandler {
  let turnEnds: number | undefined;

  // An immediate for each request: what it leaves to microtasks is done, and counted, before the next one begins.
  const begin = (next: () => void): void => {
    if (turnEnds === undefined) {
      turnEnds = now() + TURN_MS;
      // The first of the next turn.
      setImmediate(() => (turnEnds = undefined));
    }
    if (now() < turnEnds) next();
    else setImmediate(begin, next);
  };

  return (_request, _response, next) => void setImmediate(begin, next);
}
