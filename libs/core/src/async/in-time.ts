import { Deadline } from './deadline.js';
import { unlessAborted } from './unless-aborted.js';

/**
 * What the control store answers, if it does so within `ms` milliseconds. Work that is late goes on, and nobody learns how it
 * ends.
 *
 * @param refused what is thrown in place of the plain error that it was late
 */
export async function inTime<T>(
  work: () => Promise<T>,
  ms: number,
  refused: (cause: Error) => Error = (cause) => cause,
): Promise<T> {
  const deadline = new Deadline(ms);
  try {
    return await unlessAborted(work, deadline.signal);
  } catch (error) {
    if (deadline.passed) throw refused(new Error(`the control store did not answer within ${ms} ms`));
    throw error;
  } finally {
    deadline.clear();
  }
}
