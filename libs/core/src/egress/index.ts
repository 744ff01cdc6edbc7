export { AddressRules, type EgressOptions } from './address-rules.js';
export { Egress, type EgressFetch } from './egress.js';
export { EgressRefused, isEgressRefused } from './egress-refused.js';
export { namedLoopback } from './named-loopback.js';
