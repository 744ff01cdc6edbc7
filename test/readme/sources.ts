import { Module } from '@nestjs/common';
import { type ToolContext, ToolSearchModule } from '@tool-search/core';
import { McpSource } from '@tool-search/mcp';
import { OpenApiSource } from '@tool-search/openapi';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';

// #region sources
const { DOCS_URL = 'https://docs.example.com/mcp', CRM_DOCUMENT = 'crm.openapi.json' } = process.env;

@Module({
  imports: [
    ToolSearchModule.forRoot({
      context: ({ user }: { user: ToolContext }) => user, // put there by your own authentication
      sources: [
        new McpSource({ name: 'docs', url: DOCS_URL, exclude: ['delete_*'] }),
        new OpenApiSource({ name: 'crm', document: CRM_DOCUMENT, include: ['list_*', 'get_*'] }),
      ],
      exposure: 'deferred',
    }),
    ToolSearchTypeOrmModule, // a SQLite file in .tool-search/, or .forRoot({ url: 'postgres://…' })
  ],
})
export class AppModule {}
// #endregion sources
