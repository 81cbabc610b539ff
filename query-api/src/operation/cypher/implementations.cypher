MATCH (t:{label} {id: $id})<-[:IMPLEMENTS|INHERITS|EMBEDS|OVERRIDES* SHORTEST 1..{depth}]-(s)
RETURN DISTINCT s.id, s.qualified_name, s.file, s.line
