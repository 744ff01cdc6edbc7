export interface User {
  readonly id: string;
  readonly tenantId: string;
  readonly plan: 'starter' | 'business';
  readonly roles: readonly string[];
}

/** A request after the {@link BearerGuard}. */
export interface AuthenticatedRequest {
  readonly user: User;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly params: Readonly<Record<string, string | undefined>>;
}
