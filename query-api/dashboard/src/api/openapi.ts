// Generated from /openapi.json by `npm run types`; do not edit by hand.

export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a client of Neo4j asks first
         * @description Asks for no token. A browser is sent to the dashboard.
         */
        get: operations["discover"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question in words
         * @description With `Accept: text/event-stream`, or `stream: true`, the answer comes as events: `stage`, `seeds`, `cypher`, `rows`,
         *     `token`, `citations`, `verdict`, and last `answer` (the whole answer) or `error`.
         */
        post: operations["ask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/communities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the code is organised
         * @description Functions and types that have more to do with each other than with others, in up to three levels.
         */
        get: operations["communities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cypher": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a query that only reads
         * @description With `Accept: application/x-ndjson` the answer is streamed: a line `{columns, types}`, a line per row, and a last line
         *     `{truncated, elapsed_ms, rows}`.
         */
        post: operations["cypher"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/examples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Questions that this index can answer */
        get: operations["examples"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that a node was right, or wrong, for a question
         * @description The vote is kept beside the index and counts when such a question is asked again.
         */
        post: operations["vote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/generations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Builds of this index */
        get: operations["generations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Commits that touched some lines
         * @description From `git log -L`; none where the source is not under git.
         */
        get: operations["history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/impact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a change sets off */
        post: operations["impact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What can be asked without writing Cypher */
        get: operations["operations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run an operation
         * @description The same as `ripple NAME` on the command line and the tool of that name over MCP.
         */
        post: operations["run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a query can name */
        get: operations["schema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Find the nodes that a question is about */
        post: operations["search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/source": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Indexed source
         * @description As it was when it was indexed; at most 5,000 lines.
         */
        get: operations["source"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the index holds */
        get: operations["status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/{database}/query/v2": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a query that only reads, in the shape of Neo4j's Query API
         * @description The content types `application/vnd.neo4j.query` and `application/vnd.neo4j.query.v1.0` to `.v1.2` carry values with
         *     their types; `application/jsonl` and the suffix `+jsonl` ask for a stream of events.
         */
        post: operations["query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This page */
        get: operations["docs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the server is up
         * @description Asks for no token.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tools for agents
         * @description The Model Context Protocol over streamable HTTP, without sessions. `ripple mcp` speaks the same over stdin and stdout.
         */
        post: operations["mcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["openapi_json"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question in words
         * @description In the shape of OpenAI's chat completions. With `stream: true` the answer comes in pieces and ends with `data: [DONE]`.
         */
        post: operations["completions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What can be chosen as a model */
        get: operations["models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The answer to a query. */
        Answer: {
            /** @description Name of each column. */
            columns: string[];
            /**
             * Format: double
             * @description Milliseconds from question to answer.
             */
            elapsed_ms: number;
            /**
             * @description The rows, each as long as `columns`. A node is `{id, labels, properties}`, a relationship
             *     `{id, type, start, end, properties}`, a path `{nodes, relationships}`.
             */
            rows: unknown[][];
            /** @description There were more rows than the limit. */
            truncated: boolean;
            /** @description Type of each column, in the engine's words: `INT64`, `STRING[]`, `NODE`. */
            types: string[];
        };
        /** @description The answer to a question in words. */
        AskAnswer: {
            /** @description What the text cites, each held against the graph. */
            citations: components["schemas"]["Citation"][];
            /** @description To be sent with a follow-up. */
            context: Record<string, never>;
            /** @description The Cypher behind it, which anyone can run to check. */
            cypher: components["schemas"]["CypherText"][];
            /** @description The language model that helped; nothing if none did. */
            model?: string | null;
            operation?: components["schemas"]["OperationAnswer"] | null;
            rows?: components["schemas"]["Answer"] | null;
            /** @description Where the search for an answer began. */
            seeds: components["schemas"]["SeedView"][];
            /** @description Markdown. Citations are links `[symbol](file:line)`. */
            text: string;
            /** @description Everything that was tried, in order. */
            trace: components["schemas"]["TraceStep"][];
            /** @description Number of those that it does not. */
            unverified: number;
            /** @description What the language model was asked for and gave. */
            usage: components["schemas"]["Usage"];
            /** @description How complete the answer is. */
            verdict: components["schemas"]["Verdict"];
            /** @description Number of citations that the graph bears out. */
            verified: number;
            /** @description Which way led to the rows. */
            way: components["schemas"]["Way"];
        };
        /** @description What is told while a question is worked on. Each is one event: [`AskEvent::name`], and the rest as its data. */
        AskEvent: components["schemas"]["TraceStep"] | components["schemas"]["SeedView"][] | {
            /** @description Its parameters. */
            params: Record<string, never>;
            /** @description The query. */
            text: string;
            /** @description Where it comes from. */
            way: components["schemas"]["Way"];
        } | components["schemas"]["Answer"] | {
            /** @description The piece. */
            text: string;
        } | components["schemas"]["Citation"][] | components["schemas"]["Verdict"] | components["schemas"]["AskAnswer"] | components["schemas"]["Failure"];
        /** @description A question in words. */
        AskRequest: {
            /** @description `context` of the previous answer, so that a follow-up can stand on it. */
            context?: Record<string, never> | null;
            /** @description What was said before, oldest first. The server remembers nothing. */
            history?: components["schemas"]["ChatTurn"][];
            /**
             * @description The question. `@codebase` in it forces fresh retrieval.
             * @example If a client stops sending us the field `email`, which ML features are affected?
             */
            question: string;
            /** @description Send events, as `Accept: text/event-stream` does. */
            stream?: boolean;
        };
        /** @description What became of the calls of one language. */
        CallsView: {
            /**
             * Format: int64
             * @description To a library or builtin that the index does not hold.
             */
            external: number;
            /**
             * Format: double
             * @description Share of `external`.
             */
            external_percent: number;
            /**
             * Format: int64
             * @description To a function or type in the index.
             */
            resolved: number;
            /**
             * Format: double
             * @description Share of `resolved` in all three, 0 to 100.
             */
            resolved_percent: number;
            /**
             * Format: int64
             * @description Callee not known; the relationship's rule says why.
             */
            unresolved: number;
            /**
             * Format: double
             * @description Share of `unresolved`.
             */
            unresolved_percent: number;
        };
        /**
         * @description In which way a symbol changed.
         * @enum {string}
         */
        ChangeKind: "added" | "removed" | "modified";
        /** @description A symbol whose lines changed. */
        Changed: {
            /** @description In which way. */
            change: components["schemas"]["ChangeKind"];
            /** @description Its file. */
            file: string;
            /** @description First and last line that changed. */
            lines: [
                number,
                number
            ];
            /**
             * Format: int64
             * @description Id of its node.
             */
            node: number;
        };
        /**
         * @description Who speaks in a conversation.
         * @enum {string}
         */
        ChatRole: "system" | "user" | "assistant";
        /** @description One message of a conversation. */
        ChatTurn: {
            /** @description What was said. */
            content: string;
            /** @description Who spoke. */
            role: components["schemas"]["ChatRole"];
        };
        /** @description A place in the source that an answer names. */
        Citation: {
            /** @description The file, as the text names it. */
            file: string;
            /**
             * Format: int32
             * @description The line.
             */
            line: number;
            /**
             * Format: int64
             * @description Id of its node, where there is one.
             */
            node?: number | null;
            /** @description The symbol, as the text names it. */
            symbol: string;
            /** @description The graph holds that symbol at that place. */
            verified: boolean;
        };
        /** @description One commit. */
        Commit: {
            /** @description Who wrote it. */
            author: string;
            /** @description When, as `2026-11-21`. */
            date: string;
            /** @description Its hash, abbreviated. */
            hash: string;
            /** @description First line of its message. */
            subject: string;
        };
        /** @description The parts of the code, the largest first; parts of parts come after what they are part of. */
        Communities: {
            /** @description The communities. */
            communities: components["schemas"]["CommunityView"][];
            /** @description How many there are in all; more than are listed if a limit cut them. */
            found: number;
            /**
             * Format: int64
             * @description Functions and types of the index outside of test code, in a community or not.
             */
            members: number;
        };
        /** @description A part of the code: functions and types that have more to do with each other than with others. */
        CommunityView: {
            /** @description Whether a language model wrote the summary. */
            by_model: boolean;
            /**
             * Format: int32
             * @description Files that declare them.
             */
            files: number;
            /**
             * Format: int32
             * @description Its number in this generation of the index.
             */
            id: number;
            /**
             * Format: int32
             * @description 0 for the parts of the whole, 1 for parts of these, and so on.
             */
            level: number;
            /** @description Communities of the same level that it uses. */
            links: components["schemas"]["LinkView"][];
            /** @description The package that most of it is in, and what stands in its middle. */
            name: string;
            /** @description The package that most of it is in; empty if there is no such package. */
            package: string;
            /**
             * Format: int32
             * @description The community that it is part of.
             */
            parent?: number | null;
            /**
             * Format: int32
             * @description Its functions and types.
             */
            size: number;
            /** @description Two sentences: a language model's if there are such, else what it holds and what documentation says of its middle. */
            summary: string;
            /** @description What stands in its middle, the most central first. */
            top: components["schemas"]["NodeView"][];
        };
        /** @description An answer, as a chat client reads it. */
        Completion: {
            choices: Record<string, never>[];
            /** Format: int64 */
            created: number;
            id: string;
            model: string;
            /** @description `chat.completion` */
            object: string;
            usage: Record<string, never>;
        };
        /** @description A conversation that ends with a question. */
        Completions: {
            /** @description The conversation, oldest first. */
            messages: components["schemas"]["Message"][];
            /** @description Send the answer in pieces. */
            stream?: boolean | null;
            /** @description `{"include_usage": true}` adds a piece with the usage. */
            stream_options?: Record<string, never> | null;
        };
        /** @description All zero. */
        Counters: {
            /** Format: int64 */
            constraintsAdded: number;
            /** Format: int64 */
            constraintsRemoved: number;
            containsSystemUpdates: boolean;
            containsUpdates: boolean;
            /** Format: int64 */
            indexesAdded: number;
            /** Format: int64 */
            indexesRemoved: number;
            /** Format: int64 */
            labelsAdded: number;
            /** Format: int64 */
            labelsRemoved: number;
            /** Format: int64 */
            nodesCreated: number;
            /** Format: int64 */
            nodesDeleted: number;
            /** Format: int64 */
            propertiesSet: number;
            /** Format: int64 */
            relationshipsCreated: number;
            /** Format: int64 */
            relationshipsDeleted: number;
            /** Format: int64 */
            systemUpdates: number;
        };
        /** @description A query with its parameters. */
        CypherText: {
            /** @description Values of the parameters that it names with `$`. */
            params: Record<string, never>;
            /** @description The query. */
            text: string;
        };
        /** @description The rows. */
        Data: {
            /** @description Name of each column. */
            fields: string[];
            /** @description The rows. */
            values: unknown[][];
        };
        /**
         * @description Which way an operation looks.
         * @enum {string}
         */
        Direction: "down" | "up";
        /** @description Where to ask, as clients of Neo4j read it. */
        Discovery: {
            /** @description Always `community`. */
            neo4j_edition: string;
            /** @description The release whose Query API is spoken. */
            neo4j_version: string;
            /**
             * @description Template of the address to ask.
             * @example http://localhost:7474/db/{databaseName}/query/v2
             */
            query: string;
            /** @description Version of this program. */
            ripple_version: string;
        };
        /** @description A relationship, with its site. */
        EdgeView: {
            /**
             * Format: int32
             * @description Its column in bytes, from 1.
             */
            col: number;
            /**
             * Format: double
             * @description The rule's confidence, 0 to 1.
             */
            confidence: number;
            /** @description File of the expression that makes it. */
            file: string;
            /**
             * Format: int64
             * @description Id of its start.
             */
            from: number;
            /** @description The way the data takes, or the way the callee is called. */
            how: string;
            /** @description Label: `FLOWS_TO`, `CALLS`, … */
            kind: string;
            /**
             * Format: int32
             * @description Its line, from 1.
             */
            line: number;
            /** @description The resolver rule that made it. */
            rule: string;
            /**
             * Format: int64
             * @description Id of its end.
             */
            to: number;
        };
        /** @description One error. */
        ErrorEntry: {
            /**
             * @description One of Neo4j's codes.
             * @example Neo.ClientError.Statement.SyntaxError
             */
            code: string;
            /** @description What and where, for people. */
            message: string;
        };
        /** @description What went wrong, as clients of Neo4j read it. */
        Errors: {
            /** @description One error. */
            errors: components["schemas"]["ErrorEntry"][];
        };
        /** @description Questions that this index can answer. */
        Examples: {
            /** @description The questions. */
            questions: string[];
        };
        /** @description A piece of indexed source. */
        Excerpt: {
            /**
             * Format: int32
             * @description Its last line.
             */
            end_line: number;
            /** @description Its file. */
            file: string;
            /** @description `go`, `python`, or `any`. */
            language: string;
            /**
             * Format: int32
             * @description Its first line, from 1.
             */
            line: number;
            /** @description Its text, with line ends. */
            text: string;
        };
        /** @description What went wrong. */
        Failure: {
            /** @description The error. */
            error: components["schemas"]["FailureDetail"];
        };
        /** @description What went wrong, in parts. */
        FailureDetail: {
            /**
             * @description Short fixed word to branch on.
             * @example query_refused
             */
            code: string;
            /** @description What to do about it. */
            hint?: string | null;
            /** @description What and where, for people. */
            message: string;
            span?: components["schemas"]["Span"] | null;
        };
        /** @description A question that people answered before. */
        FaqHit: {
            /** @description Its answer. */
            answer: string;
            /** @description Files that it names. */
            files: string[];
            /** @description The question. */
            question: string;
        };
        /** @description Whether a node was right for a question. */
        Feedback: {
            /**
             * Format: int64
             * @description Id of the node.
             */
            node: number;
            /** @description The question. */
            question: string;
            /**
             * Format: int32
             * @description 1: right; -1: wrong.
             */
            vote: number;
        };
        /** @description That feedback was kept. */
        FeedbackStored: {
            /** @description How many votes this index holds now. */
            stored: number;
        };
        /** @description Files of one language and status. */
        FilesView: {
            /**
             * Format: int64
             * @description Their bytes.
             */
            bytes: number;
            /**
             * Format: int64
             * @description How many.
             */
            files: number;
            /** @description The language. */
            language: string;
            /**
             * Format: int64
             * @description Their lines.
             */
            lines: number;
            /** @description `indexed`, `partial` or `skipped`. */
            status: string;
        };
        /** @description One result. */
        Finding: {
            /**
             * Format: double
             * @description Product of the confidences along its path.
             */
            confidence: number;
            /**
             * Format: int32
             * @description Steps from the nearest seed.
             */
            distance: number;
            /** @description What its path rests on. */
            ground: components["schemas"]["Ground"];
            /**
             * Format: int64
             * @description Id of its node.
             */
            node: number;
            /** @description Index of its path. */
            path?: number | null;
            /** @description What it has to do with the target, in a few words: `its result changes`, `calls it`, `reads it`. */
            relation: string;
        };
        /** @description That a source found a hit. */
        FoundBy: {
            /** @description Place in that source's list, from 1. */
            rank: number;
            /**
             * Format: float
             * @description That source's own score, 1 for its best.
             */
            score: number;
            /** @description The source. */
            source: components["schemas"]["Source"];
        };
        /** @description One build. */
        GenerationView: {
            /**
             * Format: int64
             * @description When it was built, in seconds since 1970.
             */
            built_at: number;
            /**
             * Format: int64
             * @description Files in its graph.
             */
            files: number;
            /**
             * Format: int64
             * @description Their lines.
             */
            lines: number;
            /** @description Its name. */
            name: string;
            /**
             * Format: int64
             * @description Nodes.
             */
            nodes: number;
            /**
             * Format: int64
             * @description Relationships.
             */
            relationships: number;
            /**
             * Format: double
             * @description Seconds that the load took.
             */
            seconds: number;
        };
        /** @description The builds of an index. */
        Generations: {
            /** @description Name of the one that is read. */
            current: string;
            /** @description All that are whole, newest first. */
            generations: components["schemas"]["GenerationView"][];
            running?: components["schemas"]["Running"] | null;
        };
        /**
         * @description What a way rests on, the strongest first: its weakest step says.
         * @enum {string}
         */
        Ground: "flow" | "decision" | "may";
        /** @description Numbers of results by what their ways rest on. */
        Grounds: {
            /** @description One of them is tested on the way. */
            decision: number;
            /** @description Values move all the way. */
            flow: number;
            /** @description Somewhere it is not known that it is this value which goes on. */
            may: number;
        };
        /** @description Results of one package. */
        Group: {
            /** @description Qualified name of the package. */
            package: string;
            /** @description Indices of results. */
            results: number[];
        };
        /** @description First line of an NDJSON answer. After it, each line is one row as an array, and the last line is a [`Trailer`]. */
        Header: {
            /** @description Name of each column. */
            columns: string[];
            /** @description Type of each column. */
            types: string[];
        };
        /** @description Whether the server is up, and on which index. */
        Health: {
            /** @description Generation of the index that is being served. */
            generation: string;
            /**
             * @description Always `ok`.
             * @example ok
             */
            status: string;
            /** @description Version of the program. */
            version: string;
        };
        /** @description Commits that touched some lines, newest first. */
        History: {
            /** @description The commits; none if the source is not under git. */
            commits: components["schemas"]["Commit"][];
        };
        /** @description Something that was found. */
        Hit: {
            /**
             * Format: int32
             * @description Its last line.
             */
            end_line: number;
            /** @description Its first lines of source. */
            excerpt: string;
            /** @description Its file. */
            file: string;
            /**
             * Format: int32
             * @description Its first line.
             */
            line: number;
            node?: components["schemas"]["NodeView"] | null;
            /**
             * Format: float
             * @description Fused score: only the order of hits of one answer means something.
             */
            score: number;
            /** @description Who found it. */
            sources: components["schemas"]["FoundBy"][];
        };
        /** @description What a change sets off. */
        ImpactReport: {
            /** @description Everything that changes with them. */
            answer: components["schemas"]["OperationAnswer"];
            /** @description The symbols whose lines changed. */
            changed: components["schemas"]["Changed"][];
            /** @description The same as Markdown, for a comment on a pull request. */
            markdown: string;
            /** @description Ids of tests to run, nearest first: all of them, whatever `limit` says. */
            tests_to_run: number[];
            /** @description Source files of the change that the index does not hold. */
            unknown_files: string[];
        };
        /** @description Which change is meant: one of a diff, two revisions, what is staged, or a target. */
        ImpactRequest: {
            /**
             * @description Revision before the change.
             * @example main
             */
            base?: string | null;
            /**
             * Format: int32
             * @description Most steps, 1 to 50.
             */
            depth?: number | null;
            /** @description A unified diff, as `git diff` writes it. */
            diff?: string | null;
            ground?: components["schemas"]["Ground"] | null;
            /** @description Revision after it; the work tree if it is left out. */
            head?: string | null;
            /** @description Most results. */
            limit?: number | null;
            /**
             * Format: double
             * @description Leave out ways that are less sure than this, 0 to 1.
             */
            min_confidence?: number | null;
            /** @description What is staged. */
            staged?: boolean;
            /** @description A target, as operations take it. */
            target?: string | null;
            /** @description Show test code among the results. */
            tests?: boolean | null;
        };
        /** @description Two labels that a relationship type joins. */
        Join: {
            /** @description Label of the start. */
            from: string;
            /** @description Label of the end. */
            to: string;
        };
        /** @description One community uses another. */
        LinkView: {
            /**
             * Format: int32
             * @description The other's number.
             */
            to: number;
            /**
             * Format: int32
             * @description How often: calls, reads, writes, types.
             */
            weight: number;
        };
        /** @description Who has the index open and answers commands. */
        Listener: {
            /** @description The generation that it has open. */
            generation: string;
            /**
             * Format: int32
             * @description Number of its process.
             */
            process: number;
            /**
             * Format: double
             * @description A resident reader: so many seconds after the last question it ends. A server stays.
             */
            resident_seconds?: number | null;
        };
        /** @description One message. */
        Message: {
            /** @description A text, or a list of parts of which the texts are read. */
            content?: string;
            /** @description `system`, `developer`, `user`, `assistant` or `tool`. */
            role: string;
        };
        /** @description A name and what it means. */
        Named: {
            /** @description What it means. */
            doc: string;
            /** @description As written in a query. */
            name: string;
        };
        /** @description A node with the properties that every label has. */
        NodeView: {
            /** @description Its documentation comment. */
            doc: string;
            /**
             * Format: int32
             * @description Last line of its declaration.
             */
            end_line: number;
            /** @description File that declares it, or empty. */
            file: string;
            /**
             * Format: int64
             * @description Stable id; its 53 bits fit a JSON number of any reader.
             */
            id: number;
            /** @description Finer kind within the label. */
            kind: string;
            /** @description Label: `Function`, `Field`, `Variable`, … */
            label: string;
            /** @description `go`, `python`, or `any`. */
            language: string;
            /**
             * Format: int32
             * @description Line of its declaration, from 1; 0 if it has none.
             */
            line: number;
            /** @description Short name. */
            name: string;
            /** @description Dotted path from the package down. */
            qualified_name: string;
            /** @description Its declaration on one line. */
            signature: string;
            /** @description Tags from `ripple.toml`. */
            tags: string[];
            /** @description Declared in test code. */
            test: boolean;
            /** @description Its declared or inferred type. */
            type: string;
        };
        /** @description Something to know about the answer. */
        Notification: {
            category: string;
            code: string;
            description: string;
            severity: string;
            title: string;
        };
        /** @description An error, as a chat client reads it. */
        OpenAiFailure: {
            error: Record<string, never>;
        };
        /** @description The answer of any operation. */
        OperationAnswer: {
            /** @description Cypher that finds the same, for whoever wants to check or go on. */
            cypher: components["schemas"]["CypherText"][];
            /** @description The edges of the paths: with `nodes` the subgraph to draw. */
            edges: components["schemas"]["EdgeView"][];
            /**
             * Format: double
             * @description Milliseconds from question to answer.
             */
            elapsed_ms: number;
            /** @description Ids of results that the outside calls: routes, handlers, commands, `main`, exported functions that nobody in the index calls. */
            entry_points: number[];
            /** @description Number of results before the limit. */
            found: number;
            /** @description Number of results before the limit by what their ways rest on. */
            grounds: components["schemas"]["Grounds"];
            /** @description The results by package. */
            groups: components["schemas"]["Group"][];
            /** @description Number of results in tests that are not among them; `tests` shows these. */
            in_tests: number;
            /** @description How many of them are three steps away at most: what is told of those is mostly so, and of far ones seldom. */
            near: number;
            /** @description Every node that the answer names, by id. */
            nodes: {
                [key: string]: components["schemas"]["NodeView"];
            };
            /** @description Its name. */
            operation: string;
            /** @description What it was asked with. */
            parameters: components["schemas"]["Parameters"];
            /** @description How the results are reached, each from a seed (or, looking up, to it). */
            paths: components["schemas"]["PathView"][];
            /** @description What was found: what stands on stronger ground first, then nearest first, surest first among equally near ones. */
            results: components["schemas"]["Finding"][];
            /** @description The nodes that the target named. */
            seeds: components["schemas"]["NodeView"][];
            /** @description Source of the target (`explain`). */
            source: components["schemas"]["Excerpt"][];
            /** @description Ids of test functions that run what was found, nearest first; `limit` does not cut them. */
            tests: number[];
            /** @description There were more results than the limit. */
            truncated: boolean;
            /** @description How complete the answer is. */
            verdict: components["schemas"]["Verdict"];
        };
        /** @description One operation. */
        OperationView: {
            /** @description Cypher that finds the same; `$id` is the id of the target, `{label}` its label. */
            cypher: string;
            /** @description A question that it answers. */
            example: string;
            /** @description Its name. */
            name: string;
            /** @description What it can be asked with. */
            parameters: components["schemas"]["ParameterView"][];
            /** @description What it answers, in one sentence. */
            summary: string;
        };
        /** @description What operations there are. */
        Operations: {
            /** @description The table. */
            operations: components["schemas"]["OperationView"][];
        };
        /** @description One parameter of an operation. */
        ParameterView: {
            /** @description What it is when it is left out. */
            default?: unknown;
            /** @description What it means. */
            doc: string;
            /** @description Its name. */
            name: string;
            /** @description Whether the operation asks for it. */
            required: boolean;
            /** @description `text`, `number`, `boolean`, or the words it may be. */
            type: string;
        };
        /** @description Everything that can be asked of one operation or another; each takes the ones that its entry in the table names. */
        Parameters: {
            /**
             * Format: int32
             * @description Most steps, 1 to 50.
             */
            depth?: number | null;
            direction?: components["schemas"]["Direction"] | null;
            /** @description Where it starts, named like `target`. */
            from?: string | null;
            ground?: components["schemas"]["Ground"] | null;
            /** @description Most results, 1 to 10,000. */
            limit?: number | null;
            /**
             * Format: double
             * @description Leave out ways that are less sure than this, 0 to 1.
             */
            min_confidence?: number | null;
            /** @description Only results whose qualified name begins with this package. */
            package?: string | null;
            /** @description Only results with this tag. */
            tag?: string | null;
            /**
             * @description What it is about: an id, a qualified name or its tail (`Model.save`), `key:email`, `field:email`, `function:save`, or
             *     `file.py:12`.
             * @example key:email
             */
            target?: string | null;
            /** @description Show test code among the results. */
            tests?: boolean | null;
            /** @description Where it ends, named like `target`. */
            to?: string | null;
        };
        /** @description A way through the graph. */
        PathView: {
            /**
             * Format: double
             * @description Product of their confidences.
             */
            confidence: number;
            /** @description Indices of its edges, one fewer than nodes. */
            edges: number[];
            /** @description Ids of its nodes, from cause to effect. */
            nodes: number[];
        };
        /** @description A property. */
        PropertyView: {
            /** @description What it means. */
            doc: string;
            /** @description As written in a query. */
            name: string;
            /** @description Its type. */
            type: string;
        };
        /** @description A query and its bounds. */
        Question: {
            /** @description Most rows to return; the server's own maximum holds as well. */
            limit?: number | null;
            /** @description Values of the parameters that the query names with `$`. */
            params?: Record<string, never>;
            /**
             * @description Cypher that only reads.
             * @example MATCH (f:Function) WHERE f.name = $name RETURN f.qualified_name, f.file, f.line
             */
            query: string;
            /**
             * Format: int64
             * @description Most milliseconds to run; the server's own maximum holds as well.
             */
            timeout_ms?: number | null;
        };
        /** @description One thing that keeps an answer from being complete. */
        Reason: {
            /** @description Short fixed word to branch on: `unresolved-calls`, `skipped-files`, `partial-files`, `stale-index`, `cut`, `budget`, `called-from-outside`, `unknown-receivers`, `unknown-library`, `unknown-bases`, `named-in-texts`, `removed`, `composed-names`, `left-out-by-model`, `unread-change`. */
            code: string;
            /**
             * Format: int64
             * @description How often.
             */
            count: number;
            /** @description One sentence for people. */
            message: string;
        };
        /** @description A relationship type. */
        RelationshipType: {
            /** @description What it means. */
            doc: string;
            /** @description The labels that it joins. */
            joins: components["schemas"]["Join"][];
            /** @description As written in a query. */
            name: string;
        };
        /** @description The answer, as clients of Neo4j read it. */
        Reply: components["schemas"]["Summary"] & {
            /** @description Fields and values. */
            data: components["schemas"]["Data"];
        };
        /** @description An indexed folder. */
        RootView: {
            /** @description The folder. */
            path: string;
            /** @description What the paths of its files begin with in the graph; empty if there is only one root. */
            prefix: string;
        };
        /** @description A resolver rule. */
        RuleView: {
            /**
             * Format: double
             * @description Share of its edges that hold, 0 to 1.
             */
            confidence: number;
            /** @description What it means. */
            doc: string;
            /** @description Whether the confidence was measured, or is an estimate. */
            measured: boolean;
            /** @description As written in a query. */
            name: string;
        };
        /** @description How far a running `ripple index` is. */
        Running: {
            /**
             * Format: int64
             * @description Steps of the stage that are done.
             */
            done: number;
            /** @description The stage it is in. */
            stage: string;
            /**
             * Format: int64
             * @description When it began, in seconds since 1970.
             */
            started_at: number;
            /**
             * Format: int64
             * @description Steps of the stage; 0 if it does not say.
             */
            total: number;
        };
        /** @description The graph's shape: everything that a query can name. */
        Schema: {
            /**
             * Format: int32
             * @description Version of the graph's shape.
             */
            format_version: number;
            /** @description Values of the property `how`. */
            hows: components["schemas"]["Named"][];
            /** @description Node labels. */
            labels: components["schemas"]["Named"][];
            /** @description Values of the property `language`. */
            languages: components["schemas"]["Named"][];
            /** @description Properties of every node. */
            node_properties: components["schemas"]["PropertyView"][];
            /** @description Properties of every relationship. */
            relationship_properties: components["schemas"]["PropertyView"][];
            /** @description Relationship types. */
            relationships: components["schemas"]["RelationshipType"][];
            /** @description Values of the property `rule`. */
            rules: components["schemas"]["RuleView"][];
        };
        /** @description What was found. */
        SearchAnswer: {
            /**
             * Format: double
             * @description Time that the search took.
             */
            elapsed_ms: number;
            /** @description Answers to questions near this one. */
            faq: components["schemas"]["FaqHit"][];
            /** @description The best first. */
            hits: components["schemas"]["Hit"][];
            /** @description What was left out, and why. */
            notes: string[];
        };
        /** @description What is looked for. */
        SearchRequest: {
            /** @description Labels or kinds: `Function`, `method`, `Field`, `Key`; `document` for documentation. */
            kinds?: string[];
            /** @description Languages: `go`, `python`. */
            languages?: string[];
            /** @description Most hits; 10 if not told. */
            limit?: number | null;
            /** @description Packages, with all below them. */
            packages?: string[];
            /** @description Beginnings of paths, or globs. */
            paths?: string[];
            pattern?: components["schemas"]["StructurePattern"] | null;
            /** @description The question, or words of it. */
            query: string;
            /** @description Which sources to ask; all if empty. */
            sources?: components["schemas"]["Source"][];
            /** @description Tags from `ripple.toml`. */
            tags?: string[];
            /** @description Test code alone (`true`), or none of it (`false`). */
            tests?: boolean | null;
        };
        /** @description A node where the search for an answer began. */
        SeedView: {
            /** @description The node. */
            node: components["schemas"]["NodeView"];
            /**
             * Format: double
             * @description How well it fits the question; higher is better.
             */
            score: number;
        };
        /**
         * @description Who found a hit.
         * @enum {string}
         */
        Source: "name" | "text" | "meaning" | "vector" | "chunk" | "pattern" | "faq" | "graph" | "feedback";
        /** @description A part of a text, in bytes of UTF-8. */
        Span: {
            /** @description The byte after its last. */
            end: number;
            /** @description Its first byte. */
            start: number;
        };
        /** @description A query, as clients of Neo4j send it. */
        Statement: {
            /** @description Answer with `counters`, which are all zero. */
            includeCounters?: boolean;
            /**
             * Format: int64
             * @description Most seconds to run; the server's own maximum holds as well.
             */
            maxExecutionTime?: number | null;
            /** @description Values of the parameters; with types if the content type says so. */
            parameters?: Record<string, never>;
            /**
             * @description Cypher that only reads.
             * @example MATCH (k:Key) RETURN k LIMIT $n
             */
            statement: string;
        };
        /** @description What an index holds, and what it was built from. */
        Status: {
            /**
             * Format: int64
             * @description Seconds since it was built.
             */
            age_seconds: number;
            /** @description Calls per language of the caller. */
            calls: {
                [key: string]: components["schemas"]["CallsView"];
            };
            /**
             * Format: int64
             * @description When it was built, in seconds since 1970.
             */
            created: number;
            /**
             * Format: int64
             * @description Size of the database.
             */
            database_bytes: number;
            /** @description Files per language and status. */
            files: components["schemas"]["FilesView"][];
            /** @description Files that were skipped or read in part, and why; only when asked for. */
            files_in_trouble?: components["schemas"]["Trouble"][] | null;
            /** @description Generation: each build is a new one. */
            generation: string;
            /** @description The index folder. */
            index: string;
            listener?: components["schemas"]["Listener"] | null;
            /** @description Nodes per label. */
            nodes: {
                [key: string]: number;
            };
            /** @description Relationships per type. */
            relationships: {
                [key: string]: number;
            };
            /** @description Version of the program that built it. */
            ripple_version: string;
            /** @description The indexed folders. */
            roots: components["schemas"]["RootView"][];
            /** @description Why files were skipped or read in part, by count. */
            troubles: {
                [key: string]: number;
            };
            work_tree?: components["schemas"]["WorkTree"] | null;
            /** @description Why the source on disk could not be compared. */
            work_tree_error?: string | null;
        };
        /** @description Code with holes: `json.loads($X)`. */
        StructurePattern: {
            /** @description The language it is written in: `go`, `python`. */
            language: string;
            /** @description The code; `$X` stands for one expression, `$$$` for any number. */
            pattern: string;
        };
        /** @description What is said about a query beside its rows. */
        Summary: {
            /** @description The generation that was read. A client may send it back; it changes nothing. */
            bookmarks: string[];
            counters?: components["schemas"]["Counters"] | null;
            /** @description Tells when rows were cut. */
            notifications?: components["schemas"]["Notification"][];
            /** @description Always `r`: it only read. */
            queryType: string;
        };
        /** @description One step on the way to an answer. */
        TraceStep: {
            /** @description What came of it, for people. */
            detail: string;
            /**
             * Format: double
             * @description Milliseconds that it took.
             */
            ms: number;
            /** @description Short fixed word: `retrieve`, `template`, `text2cypher`, `repair`, `patterns`, `run`, `summarise`, `answer`, `verify`. */
            stage: string;
        };
        /** @description Last line of an NDJSON answer: a reader that has not seen it has not seen everything. */
        Trailer: {
            /**
             * Format: double
             * @description Milliseconds from question to answer.
             */
            elapsed_ms: number;
            /** @description Number of rows that were sent. */
            rows: number;
            /** @description There were more rows than the limit. */
            truncated: boolean;
        };
        /** @description Something that a person should know about a file. */
        Trouble: {
            /** @description Short fixed word: `not-utf8`, `too-large`, `unreadable`, `syntax`, `too-deep`, `budget`. */
            code: string;
            /**
             * Format: int32
             * @description Line, from 1; 0 if it concerns the whole file.
             */
            line: number;
            /** @description What, and what follows from it. */
            message: string;
            /** @description Path as in the graph. */
            path: string;
        };
        /** @description What a language model was asked for and gave, in tokens. Counted here where the model's server does not tell. */
        Usage: {
            /**
             * Format: int32
             * @description Number of calls that were answered.
             */
            calls: number;
            /**
             * Format: int64
             * @description Tokens received.
             */
            completion_tokens: number;
            /**
             * Format: int64
             * @description Tokens sent.
             */
            prompt_tokens: number;
        };
        /** @description How complete an answer is. */
        Verdict: {
            /** @description The level. */
            level: components["schemas"]["VerdictLevel"];
            /** @description Why it is not `complete`; empty if it is. */
            reasons: components["schemas"]["Reason"][];
        };
        /**
         * @description How complete an answer is, in one word.
         * @enum {string}
         */
        VerdictLevel: "complete" | "lower bound" | "unknown";
        /**
         * @description Which way led from a question to rows.
         * @enum {string}
         */
        Way: "text2cypher" | "repaired" | "template" | "source" | "communities";
        /** @description How far the source on disk has moved on from the index. */
        WorkTree: {
            /** @description Files that the index does not know. */
            added: string[];
            /** @description Files whose content is another. */
            changed: string[];
            /** @description Anything below is not empty: run `ripple index` again. */
            moved_on: boolean;
            /** @description Files that are gone. */
            removed: string[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    discover: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where to ask */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Discovery"];
                };
            };
            /** @description To a browser: the dashboard */
            307: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    ask: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AskRequest"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AskAnswer"];
                    "text/event-stream": components["schemas"]["AskEvent"];
                };
            };
            /** @description `bad_request`: the request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unauthorized`: the token is missing or another one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unknown_host`: the server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `io` or `internal`: a fault on the server's side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `overloaded`, `no_index` or `index_format`: try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    communities: {
        parameters: {
            query?: {
                /** @description Most communities; the largest come first. At most 5,000. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The communities, the largest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Communities"];
                };
            };
            /** @description `bad_request`: the request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unauthorized`: the token is missing or another one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unknown_host`: the server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `io` or `internal`: a fault on the server's side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `overloaded`, `no_index` or `index_format`: try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    cypher: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Question"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Answer"];
                    "application/x-ndjson": string;
                };
            };
            /** @description `bad_request`: the request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unauthorized`: the token is missing or another one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `query_refused`: the query does more than read the graph. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `body_too_large`: the body is over 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported_media_type`: the body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unknown_host`: the server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `bad_parameter`: a parameter is missing, unknown or of the wrong type. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `io` or `internal`: a fault on the server's side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `overloaded`, `no_index` or `index_format`: try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `timeout`: the query passed its time limit. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `memory_limit`: the query passed its memory limit. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    examples: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At most ten questions; none of an empty index */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Examples"];
                };
            };
            /** @description `bad_request`: the request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unauthorized`: the token is missing or another one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unknown_host`: the server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `io` or `internal`: a fault on the server's side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `overloaded`, `no_index` or `index_format`: try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    vote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Feedback"];
            };
        };
        responses: {
            /** @description It was kept */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackStored"];
                };
            };
            /** @description `bad_request`: the request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unauthorized`: the token is missing or another one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `query_refused`: the query does more than read the graph. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `body_too_large`: the body is over 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported_media_type`: the body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unknown_host`: the server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `bad_parameter`: a parameter is missing, unknown or of the wrong type. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `io` or `internal`: a fault on the server's side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `overloaded`, `no_index` or `index_format`: try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `timeout`: the query passed its time limit. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `memory_limit`: the query passed its memory limit. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    generations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current one, the one before, and the one being built */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generations"];
                };
            };
            /** @description `bad_request`: the request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unauthorized`: the token is missing or another one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unknown_host`: the server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `io` or `internal`: a fault on the server's side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `overloaded`, `no_index` or `index_format`: try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    history: {
        parameters: {
            query: {
                /** @description Path of the file, as the graph has it. */
                file: string;
                /** @description First line, from 1. */
                from?: number;
                /** @description Last line. */
                to?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The commits, newest first, at most 20 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            /** @description `bad_request`: the request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unauthorized`: the token is missing or another one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unknown_host`: the server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `io` or `internal`: a fault on the server's side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `overloaded`, `no_index` or `index_format`: try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    impact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImpactRequest"];
            };
        };
        responses: {
            /** @description Changed symbols, what changes with them, tests to run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImpactReport"];
                };
            };
            /** @description `bad_request`: the request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unauthorized`: the token is missing or another one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `query_refused`: the query does more than read the graph. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `no_match`: the target names nothing in the index */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `body_too_large`: the body is over 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported_media_type`: the body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unknown_host`: the server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `bad_parameter`: a parameter is missing, unknown or of the wrong type. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `io` or `internal`: a fault on the server's side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `overloaded`, `no_index` or `index_format`: try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `timeout`: the query passed its time limit. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `memory_limit`: the query passed its memory limit. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    operations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table of operations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operations"];
                };
            };
            /** @description `bad_request`: the request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unauthorized`: the token is missing or another one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unknown_host`: the server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `io` or `internal`: a fault on the server's side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `overloaded`, `no_index` or `index_format`: try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the operation
                 * @example impact
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Parameters"];
            };
        };
        responses: {
            /** @description Results with their ways, and how complete they are */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description `bad_request`: the request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unauthorized`: the token is missing or another one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `query_refused`: the query does more than read the graph. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `no_match`: the target names nothing in the index; `not_found`: no such operation */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `body_too_large`: the body is over 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported_media_type`: the body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unknown_host`: the server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `bad_parameter`: a parameter is missing, unknown or of the wrong type. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `io` or `internal`: a fault on the server's side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `overloaded`, `no_index` or `index_format`: try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `timeout`: the query passed its time limit. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `memory_limit`: the query passed its memory limit. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    schema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Labels, relationships and properties */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schema"];
                };
            };
            /** @description `bad_request`: the request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unauthorized`: the token is missing or another one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unknown_host`: the server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `io` or `internal`: a fault on the server's side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `overloaded`, `no_index` or `index_format`: try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    search: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchRequest"];
            };
        };
        responses: {
            /** @description The hits, the best first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchAnswer"];
                };
            };
            /** @description `bad_request`: the request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unauthorized`: the token is missing or another one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `query_refused`: the query does more than read the graph. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `body_too_large`: the body is over 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported_media_type`: the body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unknown_host`: the server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `bad_parameter`: a parameter is missing, unknown or of the wrong type. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `io` or `internal`: a fault on the server's side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `overloaded`, `no_index` or `index_format`: try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `timeout`: the query passed its time limit. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `memory_limit`: the query passed its memory limit. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    source: {
        parameters: {
            query: {
                /** @description Path of the file, as the graph has it. */
                file: string;
                /** @description First line, from 1. */
                from?: number;
                /** @description Last line. */
                to?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Excerpt"];
                };
            };
            /** @description `bad_request`: the request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unauthorized`: the token is missing or another one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `not_found`: the index does not hold them */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unknown_host`: the server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `io` or `internal`: a fault on the server's side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `overloaded`, `no_index` or `index_format`: try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    status: {
        parameters: {
            query?: {
                /** @description List the files that were skipped or read in part, and why. */
                files?: boolean;
                /** @description Compare with the source on disk. Reads every source file. */
                work_tree?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Counts per kind, files left out, calls resolved */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description `bad_request`: the request cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unauthorized`: the token is missing or another one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unknown_host`: the server does not answer for this host. */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `io` or `internal`: a fault on the server's side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `overloaded`, `no_index` or `index_format`: try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    query: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description `ripple`
                 * @example ripple
                 */
                database: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Statement"];
                "application/vnd.neo4j.query": components["schemas"]["Statement"];
            };
        };
        responses: {
            /** @description The answer */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reply"];
                    "application/vnd.neo4j.query": components["schemas"]["Reply"];
                    "application/jsonl": string;
                    "application/vnd.neo4j.query.v1.0+jsonl": string;
                };
            };
            /** @description The request or the query cannot be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description The token is missing or another one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description The query does more than read the graph. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description The database is not `ripple`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description The body is over 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description The body is of a type that is not read here. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description A parameter is missing, unknown or of the wrong type. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description A fault on the server's side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description Too many queries are waiting. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description The query passed its time limit. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
            /** @description The query passed its memory limit. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Errors"];
                };
            };
        };
    };
    docs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description HTML */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    mcp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The answer, as JSON-RPC 2.0 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description A notification was taken */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No JSON-RPC, or of another version of the protocol */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `unauthorized`: the token is missing or another one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A page of another origin asks */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `Accept` has to name `application/json` and `text/event-stream` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is over 1 MB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not `application/json` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `unknown_host`: the server does not answer for this host */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    openapi_json: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    completions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Completions"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Completion"];
                    "text/event-stream": string;
                };
            };
            /** @description The request cannot be understood */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiFailure"];
                };
            };
            /** @description What went wrong */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiFailure"];
                };
            };
        };
    };
    models: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry, `ripple` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
}
