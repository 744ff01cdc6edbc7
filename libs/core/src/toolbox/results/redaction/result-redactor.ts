/** One text of a result: a text of its own, or a string, a number or the name of a member in JSON. */
export interface ResultText {
  readonly text: string;
  /** In JSON, the name of the member that holds the text, also through lists; `''` outside of objects and for names. */
  readonly key: string;
}

/** The call whose result is redacted. */
export interface RedactionCall {
  /** Canonical name of the tool. */
  readonly tool: string;
  /** Aborts when the call is cancelled, its time is up or `tuning.redaction.timeoutMs` has passed. */
  readonly signal: AbortSignal;
}

/**
 * Removes from the results of tools what models, caches, stores and listeners must not see. Set it as
 * `redaction.redactor`. `PatternRedactor` of `@tool-search/redaction` finds credentials and personal data by their form.
 */
export interface ResultRedactor {
  /**
   * Returns one text for each given one, in the same order; a text without a finding is returned as it is. It is called
   * once for each result, and for each error of a tool. JSON is taken apart before: the texts are the decoded strings,
   * the numbers of at least five characters and the names of members, and the result is valid JSON again, in which a
   * changed number is a string.
   *
   * If it throws, is late, or returns something else, the whole result is withheld (`REDACTION_FAILED`). Work without
   * `await` blocks the process: split long work with `TimeSlicer` of `@tool-search/core/source`.
   */
  redact(texts: readonly ResultText[], call: RedactionCall): readonly string[] | Promise<readonly string[]>;
}
