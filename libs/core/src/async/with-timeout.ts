import { Deadline } from './deadline.js';
import { abortable } from './abortable.js';

/**
 * Runs `work` and rejects if it takes longer than `ms` milliseconds. Late work is not cancelled; its outcome is
 * ignored.
 *
 * @param refused converts the timeout error into the error to throw
 */
export async function withTimeout<T>(
  work: () => Promise<T>,
  ms: number,
  refused: (cause: Error) => Error = (cause) => cause,
): Promise<T> {
  const deadline = new Deadline(ms);
  try {
    return await abortable(work, deadline.signal);
  } catch (error) {
    if (deadline.passed) throw refused(new Error(`the control store did not answer within ${ms} ms`));
    throw error;
  } finally {
    deadline.clear();
  }
}
