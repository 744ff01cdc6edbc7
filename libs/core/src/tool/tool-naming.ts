/** Names as a conversation shows them, for example those a provider accepts; the other way round where a model uses one. */
export interface ToolNaming {
  /** The name a model reads for a canonical one. */
  readonly shown: (canonical: string) => string;
  /** The canonical name for one that a model uses; a name that was never shown stays as it is. */
  readonly meant: (shown: string) => string;
}
