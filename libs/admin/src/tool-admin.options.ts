/** Request limits per operator. */
export interface ToolAdminOptions {
  /** Requests per minute that change something. @default 60 */
  readonly writesPerMinute?: number;
  /** Read-only requests per minute. @default 600 */
  readonly readsPerMinute?: number;
}
