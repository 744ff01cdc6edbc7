import { ConfigModule } from '@nestjs/config';
import { dataSourceOptions } from '@tool-search/typeorm';
import { DataSource } from 'typeorm';
import { databasePlace, ENV_FILES } from './src/settings/database-place.js';
import { checkedEnvironment } from './src/settings/environment.js';

/** What the TypeORM CLI works on: the database that the reference server uses, by the same variables and `.env`. */
export const dataSource = ConfigModule.forRoot({ envFilePath: ENV_FILES }).then(
  () => new DataSource(dataSourceOptions(databasePlace(checkedEnvironment(process.env)))),
);
