import type { RequestHandler } from 'express';

/** Milliseconds of requests per turn of the event loop. */
const TURN_MS = 20;

/**
 * Starts requests in order of arrival. After 20 ms of requests in one turn of the event loop, the rest waits for the
 * next turn. Without it, Node.js handles all requests that have arrived in one turn: with 200 connections, timers and
 * deadlines are late by 200 requests, and new connections wait, because Node accepts one connection per turn.
 *
 * @param now monotonic clock in milliseconds
 */
export function pacedRequests(now: () => number = () => performance.now()): RequestHandler {
  let turnEnds: number | undefined;

  // One immediate per request: a request's microtasks run, and their time counts, before the next one starts.
  const begin = (next: () => void): void => {
    if (turnEnds === undefined) {
      turnEnds = now() + TURN_MS;
      // Runs first in the next turn.
      setImmediate(() => (turnEnds = undefined));
    }
    if (now() < turnEnds) next();
    else setImmediate(begin, next);
  };

  return (_request, _response, next) => void setImmediate(begin, next);
}
