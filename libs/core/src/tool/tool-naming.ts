/** Translates tool names between the catalog and a conversation, for example to names that a provider accepts. */
export interface ToolNaming {
  /** The name that a model sees for a canonical name. */
  readonly shown: (canonical: string) => string;
  /** The canonical name for a name that a model uses; an unknown name is returned unchanged. */
  readonly meant: (shown: string) => string;
}
