import { Module } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { type ToolContext, ToolSearchModule } from '@tool-search/core';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';

// #region configured
@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true }), // reads .env
    ToolSearchModule.forRootAsync({
      inject: [ConfigService],
      useFactory: (config: ConfigService) => ({
        context: ({ user }: { user?: ToolContext }) => user, // from your authentication; undefined: 401
        exposure: { mode: 'deferred', contextWindow: Number(config.get('MODEL_WINDOW', 128_000)) },
        activation: { maxTools: 50 },
      }),
    }),
    ToolSearchTypeOrmModule.forRootAsync({
      inject: [ConfigService],
      // getOrThrow: a variable that is not set must not choose another store.
      useFactory: (config: ConfigService) => ({ url: config.getOrThrow<string>('DATABASE_URL') }),
    }),
  ],
})
export class AppModule {}
// #endregion configured
