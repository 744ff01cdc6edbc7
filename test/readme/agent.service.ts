// #region injected
import { Injectable } from '@nestjs/common';
import { Toolbox } from '@tool-search/core';

/** A request-scoped provider, because the toolbox is one: Nest makes one for each request. */
@Injectable()
export class AssistantService {
  constructor(private readonly toolbox: Toolbox) {}

  async suggest(text: string): Promise<string[]> {
    const { tools } = await this.toolbox.search({ query: text, includeAlwaysLoaded: true });
    return tools.map(({ name }) => name);
  }
}
// #endregion injected
