SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.tool_search_activation_scopes (
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    scope text NOT NULL,
    scope_id text NOT NULL,
    used_at bigint NOT NULL
);
CREATE TABLE public.tool_search_activations (
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    scope text NOT NULL,
    scope_id text NOT NULL,
    tool text NOT NULL,
    reason text NOT NULL,
    tokens integer NOT NULL,
    activated_at bigint NOT NULL,
    last_used_at bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.tool_search_audit (
    seq bigint NOT NULL,
    revision bigint NOT NULL,
    at bigint NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    tenant_id text NOT NULL,
    reason text NOT NULL,
    before text,
    after text,
    idempotency_key text NOT NULL,
    prev_hash text NOT NULL,
    hash text NOT NULL
);
CREATE TABLE public.tool_search_cache_entries (
    generation text NOT NULL,
    kind text NOT NULL,
    id text NOT NULL,
    complete boolean NOT NULL,
    parts integer NOT NULL,
    length integer NOT NULL,
    checksum text NOT NULL,
    written_at bigint NOT NULL
);
CREATE TABLE public.tool_search_cache_parts (
    generation text NOT NULL,
    part integer NOT NULL,
    bytes bytea NOT NULL
);
CREATE TABLE public.tool_search_control_head (
    id integer NOT NULL,
    revision bigint NOT NULL,
    seq bigint NOT NULL,
    hash text NOT NULL
);
CREATE TABLE public.tool_search_control_records (
    kind text NOT NULL,
    key text NOT NULL,
    tenant_id text NOT NULL,
    value text NOT NULL,
    expires_at bigint NOT NULL,
    revision bigint NOT NULL
);
CREATE TABLE public.tool_search_definition_sources (
    id text NOT NULL,
    owner text NOT NULL,
    source text NOT NULL,
    revision bigint NOT NULL
);
CREATE TABLE public.tool_search_definitions (
    source_id text NOT NULL,
    tool_id text NOT NULL,
    tool text NOT NULL,
    fingerprint text NOT NULL,
    volatile text NOT NULL,
    listed boolean NOT NULL,
    accepted_at bigint NOT NULL,
    origin text NOT NULL
);
CREATE TABLE public.tool_search_instances (
    id text NOT NULL,
    applied_revision bigint NOT NULL,
    seen_at bigint NOT NULL
);
CREATE TABLE public.tool_search_learned_queries (
    tenant_id text NOT NULL,
    tool text NOT NULL,
    query text NOT NULL,
    uses integer NOT NULL,
    last_used_at bigint NOT NULL
);
CREATE TABLE public.tool_search_migrations (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);
CREATE SEQUENCE public.tool_search_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.tool_search_migrations_id_seq OWNED BY public.tool_search_migrations.id;
CREATE TABLE public.tool_search_paused_runs (
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    run_id text NOT NULL,
    session_id text NOT NULL,
    paused_at bigint NOT NULL,
    catalog_digest text NOT NULL,
    control_revision bigint NOT NULL,
    tools text NOT NULL
);
CREATE TABLE public.tool_search_search_gap_queries (
    tenant_id text NOT NULL,
    kind text NOT NULL,
    query text NOT NULL,
    uses bigint NOT NULL,
    last_used_at bigint NOT NULL
);
CREATE TABLE public.tool_search_search_gaps (
    tenant_id text NOT NULL,
    hour bigint NOT NULL,
    searches bigint NOT NULL,
    zero_hits bigint NOT NULL,
    unused bigint NOT NULL,
    loops bigint NOT NULL
);
CREATE TABLE public.tool_search_token_ledger (
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    session_id text NOT NULL,
    tokenizer text NOT NULL,
    hour bigint NOT NULL,
    steps bigint NOT NULL,
    full_tokens bigint NOT NULL,
    shown_tokens bigint NOT NULL,
    meta_calls bigint NOT NULL,
    search_tokens bigint NOT NULL,
    cache_kept bigint NOT NULL,
    cache_broken bigint NOT NULL
);
ALTER TABLE ONLY public.tool_search_migrations ALTER COLUMN id SET DEFAULT nextval('public.tool_search_migrations_id_seq'::regclass);
INSERT INTO public.tool_search_activation_scopes VALUES ('acme', '', 'session', 's1', 1795409969987);
INSERT INTO public.tool_search_activations VALUES ('acme', '', 'session', 's1', 'billing.refund', 'first_use', 69, 1795409969987, 1795409969987);
INSERT INTO public.tool_search_audit VALUES (1, 1, 1795409970353, 'olga@acme', 'kill_switch.engaged', 'tool:billing.pay_out', '', 'an incident', NULL, '{"kind":"tool","value":"billing.pay_out","tenantId":"","id":"ks_0ad9f9a6cb3be7a38afb9926","reason":"an incident","actor":"olga@acme","engagedAt":1795409970353,"expiresAt":0,"abortRunning":false,"matched":1}', '', '', 'cf3f8d7c1f3d7c31c5f02f73a328f0c7807acd131fb8bc6a63451ed6080a1db3');
INSERT INTO public.tool_search_cache_entries VALUES ('2ff87fae-c7b5-415f-88d0-f4d400b6c906', 'memory-index', '1c8fd59253c8a861fa8023fc99bbac785f6d196844faf129e709c43b507be81e', true, 1, 560, '9149996d5af8d41a27afeb791848f14d14965a8aa562585d22efe40f2ca5a444', 1795409970012);
INSERT INTO public.tool_search_cache_parts VALUES ('2ff87fae-c7b5-415f-88d0-f4d400b6c906', 0, '\x545353470100000011cde1674069765702000000160000000f000000120000006e0000008200000000000000000000000100000002000000040000000400000004000000050000000500000005000000060000000700000008000000090000000a0000000a0000000b0000000c0000000c0000000c0000000d0000000e0000000f000000000000000900000012000000000000000000000000000000010000000000000000000000000000000000000000000000010000000100000001000000010000000100000001000000010000000300000001000000000000000100000006000000090000000a000000000000000d000000030000000d000000000000000d0000000f00000010000000130000000000000025d2dbb689a989a9f8acf8acf8ac5d745d7425d2a3bef8acf8ac5d745d74000001010000010100007061790a7061796f75740a62696c6c0a6f75740a7468650a62616c616e630a746f0a610a62616e6b0a6163636f756e740a6962616e0a63656e740a726566756e640a616e0a696e766f69630a66756c6c690a6f720a696e0a706172740a696e766f69636569640a616d6f756e740a0000353063393730336562656435363531393033653935646134613337643864643563613533353265393736366165336533666163613139656465323765386563320a316330623935666631386565333364353332613739643261353433626436623831336637343534393239343838613134623135653731316334383766633036620a0000');
INSERT INTO public.tool_search_control_head VALUES (1, 1, 1, 'cf3f8d7c1f3d7c31c5f02f73a328f0c7807acd131fb8bc6a63451ed6080a1db3');
INSERT INTO public.tool_search_control_records VALUES ('kill_switch', 'ks_0ad9f9a6cb3be7a38afb9926', '', '{"kind":"tool","value":"billing.pay_out","tenantId":"","id":"ks_0ad9f9a6cb3be7a38afb9926","reason":"an incident","actor":"olga@acme","engagedAt":1795409970353,"expiresAt":0,"abortRunning":false,"matched":1}', 0, 1);
INSERT INTO public.tool_search_migrations VALUES (1, 1763769600000, 'CreateActivations1763769600000');
INSERT INTO public.tool_search_migrations VALUES (2, 1763856000000, 'CreateSearchCache1763856000000');
INSERT INTO public.tool_search_migrations VALUES (3, 1763942400000, 'CreateLearnedQueries1763942400000');
INSERT INTO public.tool_search_migrations VALUES (4, 1764028800000, 'CreateControl1764028800000');
INSERT INTO public.tool_search_migrations VALUES (5, 1764115200000, 'CreatePausedRuns1764115200000');
INSERT INTO public.tool_search_migrations VALUES (6, 1764201600000, 'CreateDefinitions1764201600000');
INSERT INTO public.tool_search_migrations VALUES (7, 1764288000000, 'AddActivationLastUse1764288000000');
INSERT INTO public.tool_search_migrations VALUES (8, 1764374400000, 'CreateUsage1764374400000');
INSERT INTO public.tool_search_paused_runs VALUES ('acme', '', 'r1', 's1', 1795409970274, '4709b105fd6d80fea75255ac7fd6537b1ae254a10d05f9e365febc3897fe716a', 0, '[{"name":"billing.pay_out","hash":"50c9703ebed5651903e95da4a37d8dd5ca5352e9766ae3e3faca19ede27e8ec2","state":"offered"},{"name":"billing.refund","hash":"1c0b95ff18ee33d532a79d2a543bd6b813f7454929488a14b15e711c487fc06b","state":"activated"}]');
INSERT INTO public.tool_search_search_gaps VALUES ('acme', 1795406400000, 1, 0, 0, 0);
SELECT pg_catalog.setval('public.tool_search_migrations_id_seq', 8, true);
ALTER TABLE ONLY public.tool_search_definitions
    ADD CONSTRAINT "PK_0a171d5e943627a22dface128d7" PRIMARY KEY (source_id, tool_id);
ALTER TABLE ONLY public.tool_search_cache_parts
    ADD CONSTRAINT "PK_26d72f24f371ccfa4672b135aa9" PRIMARY KEY (generation, part);
ALTER TABLE ONLY public.tool_search_control_records
    ADD CONSTRAINT "PK_42694e545200a9fecf9c6c31a53" PRIMARY KEY (kind, key);
ALTER TABLE ONLY public.tool_search_paused_runs
    ADD CONSTRAINT "PK_44152941ab1bcef44d6a9111acf" PRIMARY KEY (tenant_id, user_id, run_id);
ALTER TABLE ONLY public.tool_search_token_ledger
    ADD CONSTRAINT "PK_4f330567533a13183277056f6a4" PRIMARY KEY (tenant_id, user_id, session_id, tokenizer, hour);
ALTER TABLE ONLY public.tool_search_learned_queries
    ADD CONSTRAINT "PK_5888db840c5b0eacf87d2a71834" PRIMARY KEY (tenant_id, tool, query);
ALTER TABLE ONLY public.tool_search_activation_scopes
    ADD CONSTRAINT "PK_655039610d021f7f679da489b52" PRIMARY KEY (tenant_id, user_id, scope, scope_id);
ALTER TABLE ONLY public.tool_search_migrations
    ADD CONSTRAINT "PK_837d6b3c01d69e5cbd7a697df9a" PRIMARY KEY (id);
ALTER TABLE ONLY public.tool_search_control_head
    ADD CONSTRAINT "PK_848bb2062744157d91278c7424b" PRIMARY KEY (id);
ALTER TABLE ONLY public.tool_search_audit
    ADD CONSTRAINT "PK_913ed82ba6b6d7cf9052be93634" PRIMARY KEY (seq);
ALTER TABLE ONLY public.tool_search_search_gaps
    ADD CONSTRAINT "PK_91fea3d0a4b0e3d62d943c6fbd5" PRIMARY KEY (tenant_id, hour);
ALTER TABLE ONLY public.tool_search_search_gap_queries
    ADD CONSTRAINT "PK_9e135c9b6727c10fdabc97f5e7d" PRIMARY KEY (tenant_id, kind, query);
ALTER TABLE ONLY public.tool_search_instances
    ADD CONSTRAINT "PK_c4387aff7c71726d6bcd7a9b0c1" PRIMARY KEY (id);
ALTER TABLE ONLY public.tool_search_activations
    ADD CONSTRAINT "PK_d1f6ca67c006560e98e61aeb0df" PRIMARY KEY (tenant_id, user_id, scope, scope_id, tool);
ALTER TABLE ONLY public.tool_search_cache_entries
    ADD CONSTRAINT "PK_e056c87974a223a5247c86d8b71" PRIMARY KEY (generation);
ALTER TABLE ONLY public.tool_search_definition_sources
    ADD CONSTRAINT "PK_e884bae9968ed95b81286237952" PRIMARY KEY (id);
CREATE INDEX ix_tool_search_activation_scopes_used_at ON public.tool_search_activation_scopes USING btree (used_at);
CREATE INDEX ix_tool_search_audit_tenant ON public.tool_search_audit USING btree (tenant_id, seq);
CREATE INDEX ix_tool_search_control_records_expires_at ON public.tool_search_control_records USING btree (kind, expires_at);
CREATE INDEX ix_tool_search_control_records_tenant ON public.tool_search_control_records USING btree (kind, tenant_id, key);
CREATE INDEX ix_tool_search_definitions_listed ON public.tool_search_definitions USING btree (source_id, listed, accepted_at);
CREATE INDEX ix_tool_search_paused_runs_of_tenant ON public.tool_search_paused_runs USING btree (tenant_id, paused_at);
CREATE INDEX ix_tool_search_paused_runs_paused_at ON public.tool_search_paused_runs USING btree (paused_at);
CREATE INDEX ix_tool_search_search_gap_queries_last_used_at ON public.tool_search_search_gap_queries USING btree (last_used_at);
CREATE INDEX ix_tool_search_search_gaps_hour ON public.tool_search_search_gaps USING btree (hour);
CREATE INDEX ix_tool_search_token_ledger_hour ON public.tool_search_token_ledger USING btree (hour);
CREATE UNIQUE INDEX ux_tool_search_audit_idempotency_key ON public.tool_search_audit USING btree (idempotency_key) WHERE (idempotency_key <> ''::text);
ALTER TABLE ONLY public.tool_search_activations
    ADD CONSTRAINT fk_tool_search_activations_scope FOREIGN KEY (tenant_id, user_id, scope, scope_id) REFERENCES public.tool_search_activation_scopes(tenant_id, user_id, scope, scope_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tool_search_cache_parts
    ADD CONSTRAINT fk_tool_search_cache_parts_entry FOREIGN KEY (generation) REFERENCES public.tool_search_cache_entries(generation);
ALTER TABLE ONLY public.tool_search_definitions
    ADD CONSTRAINT fk_tool_search_definitions_source FOREIGN KEY (source_id) REFERENCES public.tool_search_definition_sources(id) ON DELETE CASCADE;
