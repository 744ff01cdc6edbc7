export {
  type Attempt,
  CircuitBreaker,
  CircuitOpenError,
  MAX_FAILURES,
  type Outcome,
  type Verdict,
} from '../async/circuit-breaker.js';
export { CallersCircuit } from '../async/callers-circuit.js';
export { Deadline, DeadlineError, withDeadline, withLinkedSignal } from '../async/deadline.js';
export { AddressRules, type EgressOptions, egressOptions } from './address-rules.js';
export {
  Egress,
  type EgressAnswer,
  type EgressFetch,
  EgressRefused,
  type EgressRequest,
  type EgressRequestInit,
  isEgressRefused,
  namedLoopback,
} from './egress.js';
export { redactError } from './redact-error.js';
export { Secrets } from './secrets.js';
export { hasRemoved } from '../tool/source/removed-credential.js';
