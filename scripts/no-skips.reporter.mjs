import { writeFileSync } from 'node:fs';

/**
 * Treats a skipped test as a failure where all services must be available. Writes the counts as one line to the file
 * that `TOOL_SEARCH_TEST_SUMMARY` names.
 */
export default class NoSkips {
  #fault;

  onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }) {
    const skipped = numPendingTests + numTodoTests;
    const file = process.env.TOOL_SEARCH_TEST_SUMMARY;
    if (file) writeFileSync(file, `tests: ${numPassedTests} passed, ${numFailedTests} failed, ${skipped} skipped\n`);
    if (skipped === 0) return;
    const names = testResults.flatMap((suite) =>
      suite.testResults
        .filter(({ status }) => status === 'pending' || status === 'todo')
        .map(({ fullName }) => fullName),
    );
    this.#fault = new Error(`${skipped} tests were skipped:\n${names.join('\n')}`);
    console.error(this.#fault.message);
  }

  getLastError() {
    return this.#fault;
  }
}
