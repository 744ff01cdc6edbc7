/** How often one operator may ask. */
export interface ToolAdminOptions {
  /** Requests in a minute that change something. @default 60 */
  readonly writesPerMinute?: number;
  /** Requests in a minute that only look. @default 600 */
  readonly readsPerMinute?: number;
}
