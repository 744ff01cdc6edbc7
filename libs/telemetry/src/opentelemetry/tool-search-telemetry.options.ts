import { described, flag, list, object, type OptionsOf } from '@tool-search/core/internal';
import { z } from 'zod';
import { isBaggageKey, MAX_BAGGAGE_KEYS } from './baggage.js';

const baggageKey = described(z.string().refine(isBaggageKey), 'a key of W3C Baggage');
const baggageKeys = described(
  list(baggageKey).refine((keys) => keys.length <= MAX_BAGGAGE_KEYS),
  `a list of at most ${MAX_BAGGAGE_KEYS} keys of W3C Baggage`,
);

export const telemetryOptions = object({
  /** Records the session's id in spans as `gen_ai.conversation.id`. @default true */
  recordSession: flag().default(true),
  /** Adds the tool's name as a label to call durations: one set of series per tool. @default false */
  toolLabel: flag().default(false),
  /**
   * Keys of baggage that are handed on with the trace to the servers that get it. A value that the application has not
   * set is taken from requests to the gateway: a claim of the client, which nobody has checked. @default none
   */
  baggage: baggageKeys.default([]),
});

/** Data that spans and metrics record in addition to the defaults. */
export interface ToolSearchTelemetryOptions extends OptionsOf<typeof telemetryOptions> {}
