import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { createDataSource } from '@tool-search/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { dataFile } from '../settings/data-file.js';
import { type Environment, environment } from '../settings/environment.js';
import { BillingTools } from './billing.tools.js';
import { CreateInvoices1760000000000 } from './create-invoices.migration.js';
import { InvoiceEntity } from './invoice.entity.js';
import { InvoiceService } from './invoice.service.js';
import { PlanPolicy } from './plan.policy.js';

/** A small billing domain with its own tables, separate from the library's. */
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [environment.KEY],
      useFactory: (env: Environment): DataSourceOptions => {
        const url = env.DATABASE_URL;
        const tables = {
          entities: [InvoiceEntity],
          migrations: [CreateInvoices1760000000000],
          migrationsTableName: 'demo_migrations',
        };
        if (url !== undefined) return { ...tables, type: 'postgres', url };
        const database = dataFile(env, 'billing.sqlite');
        return { ...tables, type: 'better-sqlite3', database, enableWAL: true, timeout: 5000 };
      },
      dataSourceFactory: createDataSource,
    }),
  ],
  providers: [BillingTools, InvoiceService, PlanPolicy],
})
export class BillingModule {}
