MATCH (t:{label} {id: $id})-[:INHERITS|IMPLEMENTS|EMBEDS|OVERRIDES* SHORTEST 1..{depth}]->(s)
RETURN DISTINCT s.id, s.qualified_name, 'above' AS side, s.file, s.line
UNION
MATCH (t:{label} {id: $id})<-[:INHERITS|IMPLEMENTS|EMBEDS|OVERRIDES* SHORTEST 1..{depth}]-(s)
RETURN DISTINCT s.id, s.qualified_name, 'below' AS side, s.file, s.line
