import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ToolAdminModule } from '@tool-search/admin';
import { ToolSearchModule } from '@tool-search/core';

export const OPERATOR_PATH = 'operators';

@Module({
  imports: [
    ToolSearchModule.forRoot({ context: () => ({ tenantId: 'ops' }) }),
    ToolAdminModule.forRoot({ path: OPERATOR_PATH, guards: [] }),
  ],
})
class OperatorRoutes {}

/** The OpenAPI document of the routes for operators, as every application publishes it. */
export async function operatorDocument(): Promise<OpenAPIObject> {
  const app = await NestFactory.create(OperatorRoutes, { logger: false });
  try {
    return SwaggerModule.createDocument(app, new DocumentBuilder().build());
  } finally {
    await app.close();
  }
}
