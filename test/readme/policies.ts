// #region policies
/** In an application: files that are reviewed and tested like code, read once at boot. */
export const POLICIES = {
  see: `permit (principal, action == Action::"see", resource)
    when { !resource.tags.contains("money") || principal.roles.contains("finance") };`,
  call: `permit (principal, action in [Action::"call", Action::"call_alone"], resource);`,
  'large-refund': `forbid (principal, action, resource == Tool::"billing.refund")
    when { action == Action::"call" && context.arguments.cents > 100000 };`,
  'refund-alone': `forbid (principal, action == Action::"call_alone", resource == Tool::"billing.refund")
    when { context.arguments.cents > 10000 };`,
};
// #endregion policies
