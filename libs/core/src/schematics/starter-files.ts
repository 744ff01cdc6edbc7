/** The files of the starter module, by name. `extension` is the one of relative imports. */
export const starterFiles = (extension: '.js' | ''): Record<string, string> => ({
  'tools.module.ts': `import { Module } from '@nestjs/common';
import { ToolSearchModule } from '@tool-search/core';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { GreetingTools } from './greeting.tools${extension}';
import { toolContext } from './tool-context${extension}';
import { ToolsController } from './tools.controller${extension}';

@Module({
  imports: [
    ToolSearchModule.forRoot({ context: toolContext }),
    ToolSearchTypeOrmModule, // state in .tool-search/, a SQLite file; forRoot({ url }) for PostgreSQL
  ],
  controllers: [ToolsController],
  providers: [GreetingTools],
})
export class ToolsModule {}
`,
  'greeting.tools.ts': `import { Injectable } from '@nestjs/common';
import { Tool, type ToolContext } from '@tool-search/core';
import { z } from 'zod';

const Greeting = z.object({ name: z.string().min(1) });

/** Its tools are named after class and method: \`greeting.greet\`. */
@Injectable()
export class GreetingTools {
  @Tool({ description: 'Say hello to somebody by name.', input: Greeting, loading: 'deferred' })
  greet({ name }: z.infer<typeof Greeting>, { tenantId }: ToolContext) {
    return \`Hello \${name}, greetings from \${tenantId}!\`;
  }
}
`,
  'tools.controller.ts': `import { Body, Controller, Post } from '@nestjs/common';
import { RequestToolbox, Toolbox } from '@tool-search/core';

@Controller('tools')
export class ToolsController {
  @Post('search')
  search(@RequestToolbox() toolbox: Toolbox, @Body('query') query: string) {
    return toolbox.search({ query });
  }

  @Post('call')
  call(@RequestToolbox() toolbox: Toolbox, @Body('name') name: string, @Body('arguments') input: unknown) {
    return toolbox.call(name, input);
  }
}
`,
  'tool-context.ts': `import { UnauthorizedException } from '@nestjs/common';
import type { ToolContext } from '@tool-search/core';

/** Who is asking. Replace this: take tenant, user and session from the request that your authentication has checked. */
export function toolContext(): ToolContext {
  if (process.env.NODE_ENV === 'production') {
    throw new UnauthorizedException('Take the tenant from your authentication, in tools/tool-context.ts.');
  }
  return { tenantId: 'demo', userId: 'demo', sessionId: 'demo' };
}
`,
});
