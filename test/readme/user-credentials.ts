import { Module } from '@nestjs/common';
import { ToolSearchModule } from '@tool-search/core';
import { McpSource, UserConnectionsModule } from '@tool-search/mcp';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { SignedIn } from './signed-in.guard.js';

// #region user-credentials
@Module({
  imports: [
    ToolSearchTypeOrmModule,
    ToolSearchModule.forRoot({
      context: (request) => request.user && { tenantId: request.user.tenant, userId: request.user.id },
      userCredentials: {
        keys: [{ id: '2026-11', key: process.env['CREDENTIALS_KEY'] ?? '' }],
        connectUrl: 'https://shop.example/connect',
      },
      sources: [new McpSource({ name: 'mail', url: 'https://mail.example/mcp', auth: 'user' })],
    }),
    UserConnectionsModule.forRoot({ path: 'connect', guards: [SignedIn] }),
  ],
})
export class AccountsModule {}
// #endregion user-credentials
