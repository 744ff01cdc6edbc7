// #region server
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create(AppModule);
  app.enableShutdownHooks(); // running calls may end
  await app.listen(process.env.PORT ?? 3000);
}

void bootstrap();
// #endregion server
