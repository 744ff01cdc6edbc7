import { z } from 'zod';
import { described } from '../../options/options.js';

/** A name that every provider accepts: a letter, then up to 63 letters, digits, `_` and `-`. */
const LEGAL = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Whether a meta tool may have this name. */
export function isMetaName(name: unknown): name is string {
  return typeof name === 'string' && LEGAL.test(name);
}

export function metaName() {
  return described(z.string().regex(LEGAL), 'a letter, then up to 63 of letters, digits, "_" and "-"');
}
