// Stands in for stb_image.h, which the Go module leaves out (Go drops directories named vendor). llama.cpp's mtmd-
// helper.cpp needs these names to compile. nl2sql decodes no pictures: loading always fails, which that file reports
// as an error of its own.
#ifndef NL2SQL_STB_IMAGE_H
#define NL2SQL_STB_IMAGE_H

static inline unsigned char *stbi_load_from_memory(const unsigned char *data, int size, int *width, int *height,
	int *channels, int wanted) {
	(void)data, (void)size, (void)wanted;
	*width = *height = *channels = 0;
	return 0;
}

static inline void stbi_image_free(void *picture) { (void)picture; }

#endif
