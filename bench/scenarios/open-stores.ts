import { NestFactory } from '@nestjs/core';
import { getDataSourceToken } from '@nestjs/typeorm';
import { ActivationStore, ControlStore, ToolCallStore } from '@tool-search/core/stores';
import { TOOL_SEARCH_DATA_SOURCE, ToolSearchTypeOrmModule, type ToolSearchTypeOrmOptions } from '@tool-search/typeorm';
import type { DataSource } from 'typeorm';

/** The stores of a database, as an application has them. */
export interface OpenStores {
  readonly activations: ActivationStore;
  readonly calls: ToolCallStore;
  readonly control: ControlStore;
  readonly dataSource: DataSource;
  readonly close: () => Promise<void>;
}

/** Opens a database and migrates it. */
export async function openStores(place: ToolSearchTypeOrmOptions): Promise<OpenStores> {
  const app = await NestFactory.createApplicationContext(ToolSearchTypeOrmModule.forRoot(place), { logger: false });
  return {
    activations: app.get(ActivationStore),
    calls: app.get(ToolCallStore),
    control: app.get(ControlStore),
    dataSource: app.get<DataSource>(getDataSourceToken(TOOL_SEARCH_DATA_SOURCE)),
    close: () => app.close(),
  };
}
