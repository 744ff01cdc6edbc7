import { ApiTags } from '@nestjs/swagger';
import { UsageRoutes } from './usage/usage.routes.js';

/**
 * Every route of the operators. The application extends it, says where it is and who is asking; whoever is asking needs a
 * context with `admin: true`, or each route answers `FORBIDDEN`:
 *
 * ```ts
 * @Controller('admin/tools')
 * @UseGuards(AuthGuard)
 * export class ToolsController extends ToolAdminController {}
 * ```
 *
 * A route of the application's own, also one that overrides a route of these, needs `@AdminRead` or `@AdminWrite`: without
 * it the boot fails.
 */
@ApiTags('tool admin')
export abstract class ToolAdminController extends UsageRoutes {}
